import type { NewExecution } from '../../libs/scheduled-jobs/src/core/execution/new-execution.js';
import type { AttemptRecord } from '../../libs/scheduled-jobs/src/core/execution/attempt-record.js';
import type { ClaimedExecution } from '../../libs/scheduled-jobs/src/core/execution/claimed-execution.js';
import { after, attemptRecord, T0, type TestLedger } from './ledger.js';

/** Executions of one group, step by step, at a bound time. */
export class Overlaps {
  constructor(private readonly ledgerOf: () => TestLedger) {}

  private get work() {
    return this.ledgerOf().stores.work;
  }

  /** Inserts numbered executions of a job, a second apart, and admits what may run. */
  async arrive(numbers: readonly number[], parts: Partial<NewExecution> = {}): Promise<void> {
    const { jobName = 'job' } = parts;
    const executions = numbers.map((n) => ({
      key: `${jobName}:${n}`,
      scheduledFor: after(n - 10_000),
      concurrencyKey: 'g',
      ...parts,
    }));
    await this.ledgerOf().insert(...executions);
    await this.admit();
  }

  admit(): Promise<number> {
    return this.work.admit(['g'], T0);
  }

  claim(now = T0): Promise<readonly ClaimedExecution[]> {
    return this.ledgerOf().claim({ now });
  }

  /** Records the end of a run and gives its slot on. */
  async finish(claimed: ClaimedExecution, record: Partial<AttemptRecord> = {}): Promise<void> {
    const answers = await this.work.finish([attemptRecord(claimed, record)], { workerId: 'w1', now: T0 });
    const freed = answers.flatMap(({ freedKey }) => freedKey ?? []);
    await this.work.admit(freed, T0);
  }

  /** What became of each execution so far, in the order of their ids: its phase, or its state and the reason. */
  async states(): Promise<Record<string, string>> {
    const rows = await this.ledgerOf().sql<{ key: string; state: string }>(
      `select e.key, coalesce(w.phase || case when w.cancel_requested_at is null then '' else ', asked to stop' end,
         concat_ws(' ', o.state, o.reason, b.key)) as state
       from executions e
       left join work w on w.execution_id = e.id
       left join outcomes o on o.execution_id = e.id
       left join executions b on b.id = o.blocked_by
       order by e.id`,
    );
    return Object.fromEntries(rows.map(({ key, state }) => [key, state]));
  }
}
