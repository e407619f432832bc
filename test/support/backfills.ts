import type { JobDefinition, ScheduledJobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import type { Backfill, NewBackfill } from '../../libs/scheduled-jobs/src/core/ports/backfill-store.js';
import { planBackfill, type BackfillRange } from '../../libs/scheduled-jobs/src/core/schedule/backfill-plan.js';
import { earlierNamesOf } from '../../libs/scheduled-jobs/src/core/schedule/period-lookup.js';
import { SchedulePlanner } from '../../libs/scheduled-jobs/src/core/schedule/schedule-plan.js';
import type { Stores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import type { TestLedger } from './ledger.js';

type WithStores = Pick<TestLedger, 'stores'>;
type Range = Partial<BackfillRange> & Pick<BackfillRange, 'from' | 'to'>;

/** Ticks until nothing of these jobs is due any more. */
export async function tickAll(
  { stores }: WithStores,
  definitions: readonly JobDefinition[],
  now: Date | null,
): Promise<void> {
  const planner = new SchedulePlanner(definitions, () => undefined);
  const jobNames = definitions.map(({ name }) => name);
  for (let left = 1_000; left > 0; left -= 1) {
    const { schedules } = await stores.schedules.tick({ jobNames, limit: 100, now }, (due) => planner.plan(due));
    if (schedules === 0) return;
  }
  throw new Error('The ticks do not come to an end');
}

/** A backfill of a registered job, planned as the client does it. */
export async function newBackfill(stores: Stores, job: JobDefinition, range: Range): Promise<NewBackfill> {
  const record = (await stores.periods.ofSchedule(job.name, null))!;
  const full: BackfillRange = { order: 'oldest-first', actor: null, ...range };
  const executions = planBackfill(job as ScheduledJobDefinition, { record, range: full }, () => undefined);
  const version = record.versions.at(-1)!.version;
  return {
    jobName: job.name,
    version,
    reason: 'a test',
    ...full,
    executions,
    earlierNames: earlierNamesOf(job, record),
  };
}

/** Plans and inserts a backfill. */
export async function backfill({ stores }: WithStores, job: JobDefinition, range: Range): Promise<Backfill> {
  return (await stores.backfills.insert(await newBackfill(stores, job, range), null))!;
}

/** Removes an execution as retention does: its key is remembered. */
export async function pruneExecution(ledger: TestLedger, key: string): Promise<void> {
  const [row] = await ledger.sql<{ id: string }>('delete from executions where key = $1 returning id', [key]);
  if (row === undefined) throw new Error(`There is no execution "${key}"`);
  for (const table of ['work', 'outcomes', 'attempts']) {
    await ledger.sql(`delete from ${table} where execution_id = $1`, [row.id]);
  }
}
