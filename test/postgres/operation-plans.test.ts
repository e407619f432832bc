import { describe, expect, it } from 'vitest';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { findCancelRequestsSql } from '../../libs/scheduled-jobs/src/postgres/statements/find-cancel-requests.sql.js';
import { findDeadLettersSql } from '../../libs/scheduled-jobs/src/postgres/statements/find-dead-letters.sql.js';
import { findReplayableSql } from '../../libs/scheduled-jobs/src/postgres/statements/find-replayable.sql.js';
import { replayExecutionsSql } from '../../libs/scheduled-jobs/src/postgres/statements/replay-executions.sql.js';
import { useLedger } from '../support/ledger-tests.js';
import { T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const names = ledgerNames('scheduled_jobs');
const ids = Array.from({ length: 500 }, (_, n) => n * 20 + 1);
const FILTER = [['failed'], null, null, null, null, null, false];

async function planOf(statement: string, values: unknown[]): Promise<string> {
  const rows = await ledgerOf().sql<{ 'QUERY PLAN': string }>(`explain ${statement}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** 20,000 executions that have ended, one in a hundred failed. */
async function fillLedger(): Promise<void> {
  await ledgerOf().sql(
    `with e as (
       insert into executions (key, job_name, scheduled_for, queue, priority, max_attempts, trigger, created_at)
       select 'job:' || n, 'job', $1, 'default', 0, 4, 'enqueue', $1 from generate_series(1, 20000) n returning id)
     insert into outcomes (execution_id, state, finished_at)
     select id, case when id % 100 = 0 then 'failed' else 'succeeded' end, $1 from e`,
    [T0],
  );
  await ledgerOf().sql(`insert into keys select substr(sha256(convert_to(key, 'UTF8')), 1, 16), id from executions`);
  await ledgerOf().sql('analyze');
}

describe('what people do by hand reads no table as a whole', () => {
  it('in a ledger with a long history', async () => {
    await fillLedger();
    const nulls = Array.from({ length: 11 }, () => null);
    const plans = {
      replay: await planOf(replayExecutionsSql(names), [
        ids,
        T0,
        false,
        'ann',
        'fixed',
        null,
        0,
        false,
        null,
        null,
        null,
        ...FILTER,
      ]),
      dead: await planOf(findDeadLettersSql(names), [...nulls, 51, T0, null]),
      replayable: await planOf(findReplayableSql(names), [...FILTER, null, 1_001]),
      requests: await planOf(findCancelRequestsSql(names), [ids]),
    };
    for (const [name, plan] of Object.entries(plans)) {
      expect(plan, name).not.toMatch(/Seq Scan on (?:outcomes|executions)/);
    }
    expect(plans.dead).toContain('outcomes_dead');
    expect(plans.replayable).toMatch(/outcomes_(?:dead|rare)/);
    await ledgerOf().sql('truncate executions, keys, outcomes');
  });
});
