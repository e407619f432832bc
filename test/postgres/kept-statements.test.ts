import { describe, expect, it } from 'vitest';
import type pg from 'pg';
import { Database } from '../../libs/scheduled-jobs/src/postgres/database/database.js';
import { keptStatements } from '../../libs/scheduled-jobs/src/postgres/kept-statements.js';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { migrate } from '../../libs/scheduled-jobs/src/postgres/migrate.js';
import { PostgresWorkStore } from '../../libs/scheduled-jobs/src/postgres/work-store.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const names = ledgerNames('scheduled_jobs');
const kept = keptStatements(names);
const BATCH = 200;

const functions = () =>
  ledgerOf().sql<{ name: string }>(
    `select proname::text as name from pg_proc where pronamespace = 'scheduled_jobs'::regnamespace order by proname collate "C"`,
  );
const called = Object.values(kept).map(({ name }) => ({ name }));

describe('migrate', () => {
  it('makes the functions that the code calls, each once, and drops those of other versions but no others', async () => {
    expect(await functions()).toEqual(called);
    await ledgerOf().sql(`
      alter function ${kept.claim.name} rename to kept_claim_00000000;
      create function kept_by_others() returns int language sql return 1`);
    const oids = () => ledgerOf().sql(`select oid from pg_proc where proname = '${kept.look.name}'`);
    const before = await oids();
    await migrate(ledgerOf().dataSource);
    expect(await functions()).toEqual([{ name: 'kept_by_others' }, ...called]);
    expect(await oids()).toEqual(before);
    await ledgerOf().sql('drop function kept_by_others');
  });
});

describe('a statement that is kept as a function', () => {
  const ask = (database: Database) =>
    database.queryKept<{ ready: boolean }>('look', kept.look, [['default'], T0, false]);

  it.each([
    ['is not there', `drop function ${kept.look.name}`, `drop function if exists ${kept.look.name}`],
    [
      'may not be called',
      `create role "uncallable"; grant usage on schema scheduled_jobs to "uncallable";
       grant select on all tables in schema scheduled_jobs to "uncallable"; revoke execute on function ${kept.look.name} from public`,
      `drop owned by "uncallable"; drop role "uncallable"; drop function ${kept.look.name}`,
    ],
  ])('is sent as it is where the function %s', async (_case, before, after) => {
    const dataSource = await ledgerOf().connect({ poolSize: 1, logging: false });
    const own = new Database(dataSource);
    const working = await ask(own);
    expect(working).toHaveLength(1);
    await ledgerOf().sql(before);
    if (before.includes('role')) await dataSource.query('set role "uncallable"');
    expect(await ask(own)).toEqual(working);
    expect(await ask(own)).toEqual(working);
    await dataSource.destroy();
    await ledgerOf().sql(after);
    await migrate(ledgerOf().dataSource);
  });

  it('says like the statement itself what a value must be', async () => {
    const values = (result: string) => [[1], [1], [0], [0], [result], 'w'];
    await ledgerOf().insert(newExecution({ jobName: 'any' }));
    const [claimed] = await ledgerOf().claim();
    const finish = new Database(ledgerOf().dataSource).queryKept('finish', kept.finishSucceeded, [
      [claimed?.executionId],
      [claimed?.leaseToken],
      ...values('{"unfinished').slice(2),
    ]);
    await expect(finish).rejects.toMatchObject({ code: '22P02' });
  });
});

describe('a plan that was made while the work was empty', () => {
  const count = `select sum(seq_tup_read)::int as sequential, sum(idx_tup_fetch)::int as by_index
    from pg_stat_xact_user_tables where schemaname = 'scheduled_jobs' and relname in ('work', 'executions')`;

  /** What a statement reads of the tables that grow. */
  async function reads(client: pg.Client, call: string, values: unknown[]) {
    const counted = async () => (await client.query<{ sequential: number; by_index: number }>(count)).rows[0]!;
    // Counts are sent away between transactions.
    await client.query('begin');
    const before = await counted();
    const { rows } = await client.query<Record<string, unknown>>(call, values);
    const after = await counted();
    await client.query('commit');
    return { rows, sequential: after.sequential - before.sequential, byIndex: after.by_index - before.by_index };
  }

  it.each(['never looked at', 'known to be empty'])(
    'reads only what it hands out when there is much: %s',
    async (state) => {
      const ledger = ledgerOf();
      await ledger.jobs({ name: 'job' });
      const client = await ledger.client();
      if (state === 'known to be empty')
        await ledger.sql('vacuum (analyze) work, executions, queues, jobs, suspensions');
      const asked = ['w', ['default'], [BATCH], [BATCH], ['job'], T0, true, null];
      const onwards = [...asked, [0], [0], [0]];
      await client.query(kept.claim.call, asked);
      await client.query(kept.claimOnwards.call, onwards);
      await client.query(kept.finishSucceeded.call, [[], [], [], [], null, 'w']);
      await client.query(kept.look.call, [['default'], T0, true]);
      await ledger.insert(...Array.from({ length: 5_000 }, () => newExecution({ jobName: 'job' })));

      const claims = [
        await reads(client, kept.claim.call, asked),
        await reads(client, kept.claimOnwards.call, onwards),
      ];
      for (const { rows, sequential, byIndex } of claims) {
        expect(rows).toHaveLength(BATCH);
        expect(sequential).toBe(0);
        expect(byIndex).toBeLessThanOrEqual(4 * BATCH);
      }
      const ids = claims[0]!.rows.map(({ id }) => id);
      const tokens = claims[0]!.rows.map(({ token }) => token);
      const times = ids.map(() => 0);
      const finish = await reads(client, kept.finishSucceeded.call, [ids, tokens, times, times, null, 'w']);
      expect(finish).toMatchObject({ rows: [{ recorded: null }], sequential: 0 });
      expect(finish.byIndex).toBeLessThanOrEqual(2 * BATCH);
      const look = await reads(client, kept.look.call, [['default'], T0, false]);
      expect(look).toMatchObject({ rows: [{ ready: true }], sequential: 0 });
      expect(look.byIndex).toBeLessThan(20);
    },
  );

  it('meets what is recorded with the work once, not once for each', async () => {
    const { create, text } = kept.finishSucceeded;
    const [, types] = /\((.*)\)\nreturns/.exec(create)!;
    const client = await ledgerOf().client();
    await ledgerOf().sql('vacuum (analyze) work');
    await client.query('begin');
    for (const [, setting] of create.matchAll(/^set (.*)$/gm)) await client.query(`set local ${setting}`);
    await client.query(`prepare finish(${types}) as ${text}`);
    const plan = await client.query('explain execute finish(null, null, null, null, null, null)');
    await client.query('rollback');
    expect(JSON.stringify(plan.rows)).toContain('Hash Join');
    expect(JSON.stringify(plan.rows)).not.toContain('Nested Loop');
  });
});

it('The store works where the functions are not there', async () => {
  const ledger = ledgerOf();
  await ledger.sql(called.map(({ name }) => `drop function ${name}`).join(';'));
  const store = new PostgresWorkStore(names, new Database(await ledger.connect({ logging: false })), () => {});
  await ledger.insert(newExecution({ jobName: 'any' }));
  expect(await store.look(['default'], T0)).toMatchObject({ ready: true });
  const request = { workerId: 'w', quotas: [{ queue: 'default', take: 1, start: 1 }], jobNames: ['any'], now: T0 };
  expect(await store.claim(request)).toHaveLength(1);
  await migrate(ledger.dataSource);
});
