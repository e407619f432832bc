import { describe, expect, it } from 'vitest';
import { keptStatements } from '../../libs/scheduled-jobs/src/postgres/kept-statements.js';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { migrate } from '../../libs/scheduled-jobs/src/postgres/migrate.js';
import { claimWorkSql } from '../../libs/scheduled-jobs/src/postgres/statements/claim-work.sql.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const names = ledgerNames('scheduled_jobs');
const BURST = 5_000;

/** What the planner believes; -1 = nobody has looked. */
const believed = () =>
  ledgerOf().row<{ rows: number }>(`select reltuples::int as rows from pg_class where oid = 'work'::regclass`);

describe('After a burst the work', () => {
  it('is not looked at anew for claims whose plan is kept: they go by no statistics', async () => {
    const before = await believed();
    await ledgerOf().insert(...Array.from({ length: BURST }, () => newExecution({ jobName: 'job' })));
    await ledgerOf().stores.work.refreshStatistics();
    expect(await believed()).toEqual(before);
  });

  it('is looked at anew for claims that are planned each time, which then go by the order of their index', async () => {
    await ledgerOf().jobs({ name: 'job' });
    const burst = Array.from({ length: BURST }, () => newExecution({ jobName: 'job' }));
    await ledgerOf().stores.executions.insert(burst, { tx: null, now: T0 });
    await ledgerOf().sql(`drop function ${keptStatements(names).claim.name}`);
    await ledgerOf().claim({ take: 1 });
    await ledgerOf().stores.work.refreshStatistics();
    expect(await believed()).toEqual({ rows: BURST });
    const plan = await ledgerOf().sql<{ 'QUERY PLAN': string }>(`explain ${claimWorkSql(names)}`, [
      'w',
      ['default'],
      [1],
      [1],
      ['job'],
      T0,
      true,
      null,
    ]);
    const lines = plan.map((line) => line['QUERY PLAN']);
    expect(lines.filter((line) => /Scan .* on work r/.test(line))).toEqual([
      expect.stringContaining('Index Scan using work_ready'),
    ]);
    await migrate(ledgerOf().dataSource);
  });
});
