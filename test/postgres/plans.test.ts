import { describe, expect, it } from 'vitest';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { admitWaitingSql } from '../../libs/scheduled-jobs/src/postgres/statements/admit-waiting.sql.js';
import { appendLogsSql } from '../../libs/scheduled-jobs/src/postgres/statements/append-logs.sql.js';
import { claimLimitedSql } from '../../libs/scheduled-jobs/src/postgres/statements/claim-limited.sql.js';
import { claimOnwardsSql, claimWorkSql } from '../../libs/scheduled-jobs/src/postgres/statements/claim-work.sql.js';
import { finishAttemptsSql } from '../../libs/scheduled-jobs/src/postgres/statements/finish-attempts.sql.js';
import { finishSucceededSql } from '../../libs/scheduled-jobs/src/postgres/statements/finish-succeeded.sql.js';
import { judgeWaitingSql } from '../../libs/scheduled-jobs/src/postgres/statements/judge-waiting.sql.js';
import { lookAtGatesSql } from '../../libs/scheduled-jobs/src/postgres/statements/look-at-gates.sql.js';
import { lookForWorkSql } from '../../libs/scheduled-jobs/src/postgres/statements/look-for-work.sql.js';
import { renewLeasesSql } from '../../libs/scheduled-jobs/src/postgres/statements/renew-leases.sql.js';
import { saveProgressSql } from '../../libs/scheduled-jobs/src/postgres/statements/save-progress.sql.js';
import { useLedger } from '../support/ledger-tests.js';
import { T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const names = ledgerNames('scheduled_jobs');
const BATCH = 500;

/** The plan of a statement, after statistics were taken while much work waited and none was leased. */
async function planOf(statement: string, values: unknown[]): Promise<string> {
  const rows = await ledgerOf().sql<{ 'QUERY PLAN': string }>(`explain ${statement}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

async function fillWork(): Promise<void> {
  await ledgerOf().sql(
    `with e as (
       insert into executions (key, job_name, scheduled_for, queue, priority, max_attempts, trigger, created_at)
       select 'job:' || n, 'job', $1, 'default', 0, 4, 'enqueue', $1 from generate_series(1, 20000) n returning id)
     insert into work (execution_id, job_name, queue, priority, run_at, phase, max_attempts, lease_ms)
     select id, 'job', 'default', 0, $1, 'ready', 4, 30000 from e`,
    [T0],
  );
  await ledgerOf().sql(`insert into keys select substr(sha256(convert_to(key, 'UTF8')), 1, 16), id from executions`);
  await ledgerOf().sql('analyze');
}

const list = <T>(value: T): T[] => Array.from({ length: BATCH }, () => value);
const pair = <T>(value: T): T[] => [value, value];
const keys = Array.from({ length: BATCH }, (_, n) => `k${n}`);
const ids = Array.from({ length: BATCH }, (_, n) => n + 1);

describe('statements on many rows look each up by its id', () => {
  it('whatever statistics say of the work', async () => {
    await fillWork();
    const [zeros, nulls, times] = [list(0), list(null), list(T0)];
    const claimed = ['w', ['default'], [BATCH], [BATCH], ['job'], T0, true, null];
    const plans = {
      claim: await planOf(claimWorkSql(names), claimed),
      onwards: await planOf(claimOnwardsSql(names), [...claimed, [0], [1_700_000_000], [7]]),
      limited: await planOf(claimLimitedSql(names), claimed),
      look: await planOf(lookForWorkSql(names), [['default', 'mail'], T0, true]),
      gates: await planOf(lookAtGatesSql(names), [['default', 'mail'], T0]),
      renew: await planOf(renewLeasesSql(names), [ids, ids, nulls, T0]),
      succeed: await planOf(finishSucceededSql(names), [ids, ids, zeros, zeros, null, 'w']),
      finish: await planOf(finishAttemptsSql(names), [
        ...pair(ids),
        list('retry'),
        list('failed'),
        ...pair(times),
        ...pair(nulls),
        ...pair(nulls),
        ...pair(zeros),
        zeros,
        ...pair(nulls),
        ...pair(nulls),
        nulls,
        T0,
        'w',
        nulls,
      ]),
      judge: await planOf(judgeWaitingSql(names), [keys, 1_000, T0]),
      admit: await planOf(admitWaitingSql(names), [keys, true]),
      progress: await planOf(saveProgressSql(names), [ids, ids, nulls, zeros]),
      logs: await planOf(appendLogsSql(names), [ids, ids, zeros, times, list('info'), list('m'), nulls, 1_000]),
    };
    for (const [name, plan] of Object.entries(plans)) expect(plan, name).not.toContain('Seq Scan on work');
    for (const plan of [plans.succeed, plans.finish, plans.renew, plans.logs])
      expect(plan).not.toContain('Nested Loop');
    expect(plans.claim).toContain('Index Scan using work_ready');
    expect(plans.onwards).toMatch(
      /Index Scan using work_ready .*\n\s+Index Cond: \(\(queue = .*ROW\(priority, run_at, execution_id\) >= ROW/,
    );
    expect(plans.limited).toContain('Index Scan using work_ready');
    expect(plans.look.match(/using work_ready on/g)).toHaveLength(1);
    expect(plans.gates.match(/using work_ready on/g)).toHaveLength(2);
  });
});
