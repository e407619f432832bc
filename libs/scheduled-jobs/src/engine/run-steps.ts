import { InvalidOptionsError, PermanentError } from '../core/errors.js';
import { byteLength } from '../core/execution/bounded-text.js';
import type { Lease } from '../core/execution/claimed-execution.js';
import { storeResult } from '../core/execution/result.js';
import { shown } from '../core/job/option-reader.js';
import type { StepContext, StepWork, TransactionStepWork } from '../core/job/run-steps.js';
import type { StepRecord, StepStore } from '../core/ports/step-store.js';
import { StepResultError } from '../core/step-errors.js';

/** What steps need of their run. */
export interface StepsRun<Tx> {
  readonly lease: Lease & { readonly key: string };
  readonly signal: AbortSignal;
  readonly store: StepStore<Tx>;
  /** Database time. */
  now(): Date;
  /** Runs a statement, and ends the attempt when it finds the lease lost. */
  watched<T>(statement: () => Promise<T>): Promise<T>;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

const STEP_NAME = /^[^\0\p{Surrogate}]{1,100}$/u;
const MAX_STEPS = 1_000;
const MAX_TOTAL_BYTES = 16_777_216;

/**
 * The steps of one attempt. What earlier attempts have recorded is read once, at the first step: nobody else adds to it
 * while the run holds its lease. It is read again after anything has failed, because a record whose answer was lost may be
 * there or not.
 */
export class RunSteps<Tx> {
  private readonly results = new Map<string, string | null>();
  private reading: Promise<void> | null = null;
  private readonly going = new Set<string>();
  private beingMade = 0;
  private bytes = 0;

  constructor(private readonly run: StepsRun<Tx>) {}

  readonly step = <T>(name: string, work: StepWork<T>): Promise<T> =>
    this.once(name, async (step) => {
      const { store, lease } = this.run;
      const record = await this.made(name, () => work(step));
      await this.run.watched(() => store.record(lease, record, null));
      return record.result;
    });

  readonly stepInTransaction = <T>(name: string, work: TransactionStepWork<T, Tx>): Promise<T> =>
    this.once(name, (step) =>
      this.run.transaction(async (tx) => {
        const { store, lease } = this.run;
        const record = await this.made(name, () => work(tx, step));
        await this.run.watched(() => store.record(lease, record, tx));
        return record.result;
      }),
    );

  /** Gives the remembered result of a step, or that of `make`; always a new copy. */
  private async once<T>(name: string, make: (step: StepContext) => Promise<string | null>): Promise<T> {
    checkName(name);
    this.run.signal.throwIfAborted();
    if (this.going.has(name)) {
      throw new PermanentError(
        `The step "${name}" is being done already by this run: wait for it, or give each its name.`,
      );
    }
    this.going.add(name);
    try {
      const result = await this.remembered(name, make);
      return (result === null ? null : JSON.parse(result)) as T;
    } finally {
      this.going.delete(name);
    }
  }

  private async remembered(name: string, make: (step: StepContext) => Promise<string | null>): Promise<string | null> {
    try {
      await (this.reading ??= this.read());
      const before = this.results.get(name);
      if (before !== undefined) return before;
      const result = await this.counted(() => make(this.contextOf(name)));
      this.remember(name, result);
      return result;
    } catch (error) {
      this.reading = null;
      throw error;
    }
  }

  private async read(): Promise<void> {
    const found = await this.run.watched(() => this.run.store.find(this.run.lease.executionId));
    for (const [name, result] of found) this.remember(name, result);
  }

  private remember(name: string, result: string | null): void {
    if (this.results.has(name)) return;
    this.results.set(name, result);
    this.bytes += byteLength(result ?? '');
  }

  private async counted<T>(make: () => Promise<T>): Promise<T> {
    this.run.signal.throwIfAborted();
    if (this.results.size + this.beingMade >= MAX_STEPS) {
      throw new PermanentError(
        `The execution "${this.run.lease.key}" has ${MAX_STEPS} steps, the most there may be: use run.items for many things of one kind.`,
      );
    }
    this.beingMade += 1;
    return make().finally(() => (this.beingMade -= 1));
  }

  private async made(name: string, work: () => unknown): Promise<StepRecord> {
    const startedAt = this.run.now();
    const { json, note } = storeResult(await work());
    if (note !== null) throw new StepResultError(name, note);
    const bytes = this.bytes + byteLength(json ?? '');
    if (bytes > MAX_TOTAL_BYTES) {
      throw new StepResultError(name, `The results of all steps have ${bytes} bytes, more than ${MAX_TOTAL_BYTES}.`);
    }
    return { stepName: name, result: json, startedAt, finishedAt: this.run.now() };
  }

  /** The name comes first, without a slash or a colon, so that no two keys can be equal, nor one that of an execution. */
  private contextOf(name: string): StepContext {
    const { lease, signal } = this.run;
    return { idempotencyKey: `${encodeURIComponent(name)}/${lease.key}`, signal };
  }
}

function checkName(name: unknown): void {
  if (typeof name === 'string' && STEP_NAME.test(name)) return;
  throw new InvalidOptionsError([`run.step: the name must be 1–100 characters, got ${shown(name)}`]);
}
