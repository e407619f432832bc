import { expect, it } from 'vitest';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { findBackfillsSql } from '../../libs/scheduled-jobs/src/postgres/statements/find-backfills.sql.js';
import { findRecordedPeriodsSql } from '../../libs/scheduled-jobs/src/postgres/statements/find-recorded-periods.sql.js';
import { groupDeadLettersSql } from '../../libs/scheduled-jobs/src/postgres/statements/group-dead-letters.sql.js';
import { jobStatisticsSql } from '../../libs/scheduled-jobs/src/postgres/statements/job-statistics.sql.js';
import { listJobsSql } from '../../libs/scheduled-jobs/src/postgres/statements/list-jobs.sql.js';
import { lookForChangesSql } from '../../libs/scheduled-jobs/src/postgres/statements/look-for-changes.sql.js';
import { searchExecutionsSql } from '../../libs/scheduled-jobs/src/postgres/statements/search-executions.sql.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const names = ledgerNames('scheduled_jobs');

async function planOf(statement: string, values: unknown[]): Promise<string> {
  const rows = await ledgerOf().sql<{ 'QUERY PLAN': string }>(`explain ${statement}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** So many that a join would rather read a whole table than look up half of it. */
async function fill(): Promise<void> {
  await ledgerOf().sql(
    `with e as (
       insert into executions (key, job_name, scheduled_for, queue, priority, max_attempts, trigger, created_at)
       select 'job:' || n, 'job', $1::timestamptz + n * interval '1 second', 'default', 0, 4, 'enqueue', $1
       from generate_series(1, 20000) n returning id, key),
     k as (insert into keys select substr(sha256(convert_to(key, 'UTF8')), 1, 16), id from e)
     insert into outcomes (execution_id, state, finished_at) select id, case when id % 10 = 0 then 'failed' else 'succeeded' end, $1 from e`,
    [T0],
  );
  await ledgerOf().sql(
    `insert into backfills (job_name, from_at, to_at, direction, occurrences, inserted, existing, pruned, created_at)
     select 'job', $1, $1, 'oldest-first', 100, 100, 0, 0, $1 from generate_series(1, 200)`,
    [T0],
  );
  await ledgerOf().sql('update executions set backfill_id = id % 200 + 1');
  await ledgerOf().sql('analyze');
}

it('What people look at is found row by row, whatever statistics say of the tables', async () => {
  await ledgerOf().jobs({ name: 'job' });
  await fill();
  const [to, limit] = [after(100_000_000), 10_000];
  const list = [...Array<null>(5).fill(null), T0, to, ...Array<null>(4).fill(null), 51, T0, null];
  const plans = {
    statistics: await planOf(jobStatisticsSql(names), ['job', T0, to, limit, 3_600_000]),
    groups: await planOf(groupDeadLettersSql(names), [null, null, limit, 101, 10, 500]),
    periods: await planOf(findRecordedPeriodsSql(names), [Array.from({ length: 2_000 }, (_, n) => `job:${n}`), T0]),
    search: await planOf(searchExecutionsSql(names, 'executions'), [...list, null, limit]),
    rareEnds: await planOf(searchExecutionsSql(names, 'rare-ends'), [...list, ['failed'], limit]),
    deadLetters: await planOf(searchExecutionsSql(names, 'dead-letters'), [...list, null, limit]),
    jobs: await planOf(listJobsSql(names), [null, T0, 1_001, limit]),
    backfills: await planOf(findBackfillsSql(names), [null, null, null, 200, 100_000]),
    changes: await planOf(lookForChangesSql(names), [[1, 2, 3], 100]),
  };
  for (const [name, plan] of Object.entries(plans)) {
    expect(plan, name).not.toMatch(/Seq Scan on (?:outcomes|keys)/);
    expect(plan, name).not.toMatch(/Hash (?:\w+ )?Join/);
  }
});
