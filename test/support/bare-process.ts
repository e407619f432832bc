import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { EngineEvent } from '../../libs/scheduled-jobs/src/core/events/engine-event.js';
import type { NewExecution } from '../../libs/scheduled-jobs/src/core/execution/new-execution.js';
import type { WorkerOptions } from '../../libs/scheduled-jobs/src/engine/worker-options.js';
import { eventually } from './engine.js';
import type { TestLedger } from './ledger.js';

const MAIN = fileURLToPath(new URL('./bare-process/main.mjs', import.meta.url));

export interface BareProcessOptions {
  readonly url: string;
  /** Names of `bare-process/jobs.mjs`. */
  readonly jobs: readonly string[];
  readonly scheduler?: boolean;
  /** Undefined = no worker. */
  readonly worker?: WorkerOptions | undefined;
  /** A named lease that it holds for as long as it can. */
  readonly lease?: { readonly name: string; readonly ttlMs: number };
  /** How long it may take until it is ready. Default 20 s. */
  readonly readyWithinMs?: number;
  /** How far its own clock is ahead of the machine's from the start, milliseconds. Default 0. */
  readonly clockOffsetMs?: number;
  /** Kills itself at once at the first event of this type; a tick counts only if it inserted something. */
  readonly diesAt?: EngineEvent['type'];
  /** What goes wrong between it and the database, by `seed`; default nothing. */
  readonly faults?: readonly Fault[];
  readonly seed?: number;
  /** Default 12. */
  readonly poolSize?: number;
  /** Where it listens; false = it only polls. Default its database. */
  readonly listenUrl?: string | false;
}

/** A statement at which something goes wrong; see `bare-process/fault-points.mjs`. */
export interface Fault {
  /** Default every statement. */
  readonly at?: string;
  /** `the commit` is that of the transaction in which the statement was sent. */
  readonly moment: 'before' | 'after' | 'before the commit' | 'after the commit';
  /** `die`, or an SQLSTATE that the server raises instead of the statement. */
  readonly effect: string;
  /** From the nth time on; default the first. */
  readonly nth?: number;
  /** 0 … 1; how often from then on. Default always. */
  readonly rate?: number;
}

interface Message {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface MessageWait {
  readonly withinMs?: number;
  readonly where?: (message: Message) => boolean;
}

/** A forked process with a scheduler or a worker or both, and nothing else of an application. */
export class BareProcess {
  readonly messages: Message[] = [];
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  private output = '';

  private constructor(private readonly child: ChildProcess) {
    child.on('message', (message) => this.messages.push(message as Message));
    child.stdout?.on('data', (text) => (this.output += String(text)));
    child.stderr?.on('data', (text) => (this.output += String(text)));
    this.exited = once(child, 'exit').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
    }));
  }

  /** Resolves when the process ticks and claims. */
  static async start(options: BareProcessOptions): Promise<BareProcess> {
    // A fork would inherit the flags and the mode of the test runner.
    const env = { ...process.env, VITEST: undefined, NODE_ENV: 'production' };
    const child = fork(MAIN, [JSON.stringify(options)], {
      execArgv: ['--expose-gc'],
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const started = new BareProcess(child);
    await started.next('ready', { withinMs: options.readyWithinMs ?? 20_000 });
    return started;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The first message of a type that fits; rejects when it does not come in time or the process ends before. */
  next(type: string, { withinMs = 10_000, where = () => true }: MessageWait = {}): Promise<Message> {
    return eventually(
      () => {
        const message = this.messages.find((one) => one.type === type && where(one));
        if (message === undefined && !this.isRunning)
          throw new Error(`The process ended without "${type}":\n${this.output}`);
        return message;
      },
      { withinMs, what: `the message "${type}"` },
    );
  }

  count(type: string): number {
    return this.messages.filter((message) => message.type === type).length;
  }

  /** Inserts one execution `times` times at once; how many inserts made one, and the ids they were answered. */
  async enqueue(execution: NewExecution, times = 1): Promise<{ created: number; executionIds: readonly string[] }> {
    this.child.send({ type: 'enqueue', execution, times });
    const { created, executionIds } = await this.next('enqueued', { withinMs: 20_000 });
    return { created: created as number, executionIds: executionIds as string[] };
  }

  /** Keeps its event loop from turning for so long; resolves when it turns again. */
  async block(ms: number): Promise<void> {
    await this.ask({ type: 'block', ms }, 'unblocked', ms + 20_000);
  }

  /** Shifts its own clock against the machine's; gives the time it shows then. */
  async shiftClock(offsetMs: number): Promise<number> {
    const { nowMs } = await this.ask({ type: 'shift-clock', offsetMs }, 'clock-shifted', 10_000);
    return nowMs as number;
  }

  /** What is left of its heap after a collection, bytes. */
  async heapUsed(): Promise<number> {
    const { heapUsed } = await this.ask({ type: 'measure-heap' }, 'heap-measured', 10_000);
    return heapUsed as number;
  }

  private async ask(command: object, answer: string, withinMs: number): Promise<Message> {
    const before = this.count(answer);
    this.child.send(command);
    await eventually(() => this.count(answer) > before, { withinMs, what: `the message "${answer}"` });
    return this.messages.findLast(({ type }) => type === answer)!;
  }

  /** How it ended; rejects when it did not in time. */
  async exitedWithin(ms: number): Promise<Awaited<BareProcess['exited']>> {
    await eventually(() => !this.isRunning, { withinMs: ms, what: `the end of the process; so far:\n${this.output}` });
    return this.exited;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Ends it at once, also when it is frozen. */
  async kill(): Promise<void> {
    if (this.isRunning) this.child.kill('SIGKILL');
    await this.exited;
  }

  /** Asks it to stop, and says how it ended. */
  async stop({ withinMs = 10_000 } = {}): Promise<{ readonly code: number | null; readonly tookMs: number }> {
    const startedMs = performance.now();
    this.child.kill('SIGTERM');
    const { code } = await this.exitedWithin(withinMs);
    return { code, tookMs: performance.now() - startedMs };
  }
}

/** Resolves when the server has ended what processes that were killed left behind: it may still be at their last statement. */
export function sessionsEnded(ledger: Pick<TestLedger, 'sql'>, ...killed: readonly BareProcess[]): Promise<unknown> {
  const names = killed.map(({ pid }) => `bare-${pid}`);
  const left = () => ledger.sql('select from pg_stat_activity where application_name = any ($1)', [names]);
  return eventually(async () => (await left()).length === 0, { what: 'the end of the sessions' });
}

/** All processes of a test; whatever is left of them at its end is killed. */
export class BareProcesses {
  private readonly all: BareProcess[] = [];

  async start(options: BareProcessOptions): Promise<BareProcess> {
    const started = await BareProcess.start(options);
    this.all.push(started);
    return started;
  }

  startAll(count: number, options: BareProcessOptions): Promise<readonly BareProcess[]> {
    return Promise.all(Array.from({ length: count }, () => this.start(options)));
  }

  async killAll(): Promise<void> {
    await Promise.all(this.all.splice(0).map((one) => one.kill()));
  }
}
