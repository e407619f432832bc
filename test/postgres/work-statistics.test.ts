import { expect, it } from 'vitest';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { claimWorkSql } from '../../libs/scheduled-jobs/src/postgres/statements/claim-work.sql.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const BURST = 5_000;

it('A claim goes by the order of its index after a burst once the database has looked at the work anew', async () => {
  await ledgerOf().jobs({ name: 'job' });
  const burst = Array.from({ length: BURST }, () => newExecution({ jobName: 'job' }));
  await ledgerOf().stores.executions.insert(burst, { tx: null, now: T0 });
  await ledgerOf().stores.work.refreshStatistics();
  expect(await ledgerOf().row(`select reltuples::int as rows from pg_class where oid = 'work'::regclass`)).toEqual({
    rows: BURST,
  });
  const plan = await ledgerOf().sql<{ 'QUERY PLAN': string }>(
    `explain ${claimWorkSql(ledgerNames('scheduled_jobs'))}`,
    ['w', ['default'], [1], [1], ['job'], T0, true, null],
  );
  const lines = plan.map((line) => line['QUERY PLAN']);
  expect(lines.filter((line) => /Scan .* on work r/.test(line))).toEqual([
    expect.stringContaining('Index Scan using work_ready'),
  ]);
});
