import { AsyncResource } from 'node:async_hooks';
import { setImmediate as nextTurnOfEventLoop } from 'node:timers/promises';
import { StoreUnavailableError } from '../core/errors.js';
import type { NewExecution } from '../core/execution/new-execution.js';
import type { Inserted } from '../core/ports/execution-store.js';
import { isLockTimeout } from './database/store-errors.js';

/** How one statement inserts. */
export interface GroupInsertOptions {
  readonly now: Date | null;
  /** How long it may wait for a key that an open transaction holds; null = as long as that takes. */
  readonly lockTimeoutMs: number | null;
}

/** One statement in a transaction of its own; null stands for an execution that it cannot answer for. */
export type GroupInsert = (
  executions: readonly NewExecution[],
  options: GroupInsertOptions,
) => Promise<readonly (Inserted | null)[]>;

interface Waiting {
  readonly execution: NewExecution;
  readonly now: Date | null;
  readonly caller: AsyncResource;
  readonly resolve: (inserted: Inserted) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_EXECUTIONS = 500;
const MAX_PAYLOAD_CHARACTERS = 4 * 1024 * 1024;
/**
 * A group holds the keys it has inserted while it waits for another. It gives up well before PostgreSQL looks for deadlocks
 * (after 1 s by default), so that no transaction of a user is ever ended because of a group.
 */
const LOCK_TIMEOUT_MS = 100;

/**
 * Single inserts that come while another one is under way go together in the next statement: planning and commit, most of
 * the cost of a single one, are paid once. One that comes alone is sent at once.
 *
 * Each caller has its own answer. When a group fails because of its values it is halved until the one at fault is alone.
 * When a key is held by an open transaction, everything is halved in the same way, off the path of those that come later,
 * and only the one with that key waits on.
 */
export class InsertGroups {
  private readonly waiting: Waiting[] = [];
  private isBusy = false;

  constructor(private readonly insertGroup: GroupInsert) {}

  insert(execution: NewExecution, now: Date | null): Promise<Inserted> {
    return new Promise((resolve, reject) => {
      const caller = new AsyncResource('nestjs-scheduled-jobs.insert');
      this.waiting.push({ execution, now, caller, resolve, reject });
      if (!this.isBusy) void this.sendAll();
    });
  }

  private async sendAll(): Promise<void> {
    this.isBusy = true;
    for (let group = this.takeGroup(); group.length > 0; group = this.takeGroup()) {
      await this.send(group, LOCK_TIMEOUT_MS);
      // Callers that insert one after the other come again now, and would else go in two groups that take turns.
      await nextTurnOfEventLoop();
    }
    this.isBusy = false;
  }

  /** The next ones in the order in which they came, so that a caller's own executions keep theirs. */
  private takeGroup(): readonly Waiting[] {
    const now = this.waiting[0]?.now?.getTime();
    let characters = 0;
    const end = this.waiting.findIndex((one, index) => {
      characters += one.execution.payload?.length ?? 0;
      const isFull = index >= MAX_EXECUTIONS || characters > MAX_PAYLOAD_CHARACTERS;
      return index > 0 && (isFull || one.now?.getTime() !== now);
    });
    return this.waiting.splice(0, end === -1 ? this.waiting.length : end);
  }

  private async send(group: readonly Waiting[], lockTimeoutMs: number | null): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    const executions = group.map(({ execution }) => execution);
    try {
      // In the context of a caller, not in that of whoever came first of all: a trace, a request.
      const answers = await first.caller.runInAsyncScope(() =>
        this.insertGroup(executions, { now: first.now, lockTimeoutMs }),
      );
      for (const [index, one] of group.entries()) settle(one, answers[index] ?? null);
    } catch (error) {
      if (lockTimeoutMs !== null && isLockTimeout(error)) void this.sendApart(group);
      else if (error instanceof StoreUnavailableError || group.length === 1)
        for (const { reject } of group) reject(error);
      else for (const half of halvesOf(group)) await this.send(half, lockTimeoutMs);
    }
  }

  /** Never rejects, as `send` does not. */
  private async sendApart(group: readonly Waiting[]): Promise<void> {
    const parts = group.length === 1 ? [group] : halvesOf(group);
    await Promise.all(parts.map((part) => this.send(part, part.length === 1 ? null : LOCK_TIMEOUT_MS)));
  }
}

function settle({ execution, resolve, reject }: Waiting, answer: Inserted | null): void {
  if (answer === null) reject(new StoreUnavailableError(`find the execution of "${execution.key}"`));
  else resolve(answer);
}

function halvesOf(group: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const middle = group.length >> 1;
  return [group.slice(0, middle), group.slice(middle)];
}
