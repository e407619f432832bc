import { setTimeout as pause } from 'node:timers/promises';
import { ExecutionNotFoundError } from '../core/errors.js';
import { isFinal, type ExecutionState } from '../core/execution/execution-state.js';
import {
  ExecutionEndedError,
  ExecutionHeldError,
  ExecutionNotFailedError,
  ExecutionNotReplayableError,
} from '../core/operation-errors.js';
import type { FoundExecution, OperationStore } from '../core/ports/operation-store.js';
import type { OperatorRequest } from '../core/ports/operator-request.js';
import type { ReplayedExecution, ReplayRequest, ReplayStore } from '../core/ports/replay-store.js';

/** A canceled execution. */
export interface CanceledExecution {
  readonly executionId: string;
  readonly key: string;
  /** `canceled` = it has ended so; `asked` = it runs, and its worker hears of it within a second. */
  readonly done: 'canceled' | 'asked';
}

/** What became of executions that were to be acknowledged. */
export interface Acknowledgement {
  /** Their keys. */
  readonly acknowledged: readonly string[];
  readonly unchanged: readonly {
    /** The key or id that was given. */
    readonly key: string;
    /** `held` = another statement had it: ask again. */
    readonly why: 'not-found' | 'not-failed' | 'acknowledged-before' | 'held';
    readonly state: ExecutionState | null;
  }[];
}

const LOOK_AGAIN_MS = 25;
const MAX_LOOKS = 40;

/**
 * What operators do to single executions. The statements wait for no row: one that a claim or a finish holds at that moment
 * is looked at again for a second, because it may stand otherwise by then.
 */
export class Operations {
  constructor(
    private readonly operations: OperationStore,
    private readonly replays: Pick<ReplayStore, 'replay'>,
  ) {}

  /** @throws ExecutionNotFoundError, ExecutionEndedError, ExecutionHeldError */
  cancel(keyOrId: string, request: OperatorRequest): Promise<CanceledExecution> {
    return this.whenFree(keyOrId, async ({ executionId, key, state }) => {
      if (state === 'canceled') return { executionId, key, done: 'canceled' };
      if (isFinal(state)) throw new ExecutionEndedError(key, state);
      const done = await this.operations.cancel(executionId, request);
      return done === null ? null : { executionId, key, done };
    });
  }

  /** @throws ExecutionNotFoundError, ExecutionNotReplayableError, ExecutionHeldError */
  replay(keyOrId: string, request: ReplayRequest): Promise<ReplayedExecution> {
    return this.whenFree(keyOrId, async ({ executionId, key, state }) => {
      if (!isFinal(state) || (state === 'succeeded' && !request.force)) {
        throw new ExecutionNotReplayableError(key, state);
      }
      return this.replays.replay(executionId, request);
    });
  }

  async acknowledge(keysOrIds: readonly string[], request: OperatorRequest): Promise<Acknowledgement> {
    const found = await this.operations.find(keysOrIds);
    const dead = found.flatMap((one) => (one === null || whyNotDead(one) !== null ? [] : [one.executionId]));
    const acknowledged = new Set(dead.length === 0 ? [] : await this.operations.acknowledge(dead, request));
    const isDone = (one: FoundExecution | null): boolean => one !== null && acknowledged.has(one.executionId);
    return {
      acknowledged: [...new Set(found.flatMap((one) => (one !== null && isDone(one) ? [one.key] : [])))],
      unchanged: keysOrIds.flatMap((key, index) => {
        const one = found[index] ?? null;
        if (isDone(one)) return [];
        return [{ key, why: one === null ? 'not-found' : (whyNotDead(one) ?? 'held'), state: one?.state ?? null }];
      }),
    };
  }

  /** One that must be acknowledged. @throws ExecutionNotFoundError, ExecutionNotFailedError, ExecutionHeldError */
  acknowledgeOne(keyOrId: string, request: OperatorRequest): Promise<Acknowledgement> {
    return this.whenFree(keyOrId, async ({ key, state }) => {
      if (state !== 'failed') throw new ExecutionNotFailedError(key, state);
      const acknowledgement = await this.acknowledge([key], request);
      return acknowledgement.unchanged.some(({ why }) => why === 'held') ? null : acknowledgement;
    });
  }

  /** Acts until the answer is not null: each look tells anew how the execution stands. */
  private async whenFree<T>(keyOrId: string, act: (found: FoundExecution) => Promise<T | null>): Promise<T> {
    let key = keyOrId;
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      if (looks > 0) await pause(LOOK_AGAIN_MS);
      const [found] = await this.operations.find([keyOrId]);
      if (found === undefined || found === null) throw new ExecutionNotFoundError(keyOrId);
      const answer = await act(found);
      if (answer !== null) return answer;
      key = found.key;
    }
    throw new ExecutionHeldError(key);
  }
}

function whyNotDead({ state, acknowledgedAt }: FoundExecution): 'not-failed' | 'acknowledged-before' | null {
  if (state !== 'failed') return 'not-failed';
  return acknowledgedAt === null ? null : 'acknowledged-before';
}
