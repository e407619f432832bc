import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Progress } from '../../libs/scheduled-jobs/src/cli/output/progress.js';
import { runCommand } from '../../libs/scheduled-jobs/src/cli/run-command.js';
import { checkListening } from '../../libs/scheduled-jobs/src/postgres/diagnosis/listen-check.js';
import { findSchemaDrift } from '../../libs/scheduled-jobs/src/postgres/diagnosis/schema-drift.js';
import { readServer } from '../../libs/scheduled-jobs/src/postgres/diagnosis/server-facts.js';
import { scheduledJob } from '../support/engine.js';
import { TestLedger } from '../support/ledger.js';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.create();
});
afterAll(() => ledger.close());

interface Found {
  readonly check: string;
  readonly level: string;
  readonly text: string;
}

async function doctor(...args: string[]): Promise<{ exitCode: number; found: readonly Found[] }> {
  const { exitCode, output } = await runCommand(['doctor', '--json', ...args], {
    folder: '/nowhere',
    environment: { DATABASE_URL: ledger.url },
    log: () => {},
    progress: new Progress({ write: () => {}, isTerminal: false }),
    breakOff: () => new AbortController().signal,
  });
  return { exitCode, found: (JSON.parse(output) as { findings: Found[] }).findings };
}

const schemas = () => ledger.row(`select count(*)::int from pg_namespace where nspname like 'doctor%'`);

describe('doctor', () => {
  it('finds nothing to complain of in new tables but that nobody works on them', async () => {
    const { exitCode, found } = await doctor();
    expect(exitCode).toBe(0);
    expect(found.map(({ check, level }) => `${level} ${check}`)).toEqual([
      'ok server',
      'ok clock',
      'ok snapshot',
      'ok listen',
      'ok schema',
      'ok tables',
      'ok connections',
      'warning workers',
      'ok schedules',
      'ok queues',
      'ok jobs',
      'ok failures',
    ]);
  });

  it('ends with 1 for problems, and goes on behind one', async () => {
    await ledger.stores.schedules.register(
      [scheduledJob('* * * * *', { name: 'late', startAt: '2026-08-01T00:00:00Z' })],
      null,
    );
    await ledger.insert({ jobName: 'late' });
    await ledger.sql(`update jobs set unhandled_since = now(), handled_at = now()`);
    const { exitCode, found } = await doctor();
    expect(exitCode).toBe(1);
    expect(found.filter(({ level }) => level === 'problem').map(({ text }) => text)).toEqual([
      'No worker is alive, and 1 execution(s) could run. None was seen within the last day.',
      expect.stringMatching(/^Nobody keeps up with late: due for up to \d+d/),
      'No live worker handles late: their executions wait.',
    ]);
    await ledger.reset();
  });

  it('says "migrate" where there are no tables', async () => {
    const { exitCode, found } = await doctor('--schema', 'nothing_here');
    expect(exitCode).toBe(1);
    expect(found[0]).toMatchObject({
      check: 'schema',
      level: 'problem',
      text: expect.stringContaining('has no schema "nothing_here"'),
    });
    expect(found.map(({ check }) => check)).toEqual(['schema', 'server', 'clock', 'snapshot', 'listen']);
  });
});

describe('findSchemaDrift', () => {
  const drift = () => findSchemaDrift(ledger.dataSource, ledger.schema);

  it('finds none in what the migrations made, and leaves nothing behind', async () => {
    expect(await drift()).toEqual({ missing: [], added: [] });
    expect(await schemas()).toEqual({ count: 0 });
  });

  it('names what somebody took away, added or changed', async () => {
    await ledger.sql(`
      alter table jobs add column note text;
      alter table jobs alter column overlap drop not null;
      alter table executions drop constraint executions_interval_check;
      drop index executions_browse`);
    const found = await drift();
    expect(found?.missing).toEqual([
      expect.stringMatching(/^executions: CREATE INDEX executions_browse ON executions/),
      expect.stringMatching(/^executions: constraint executions_interval_check/),
      'jobs: column overlap text collate C not null',
    ]);
    expect(found?.added).toEqual(['jobs: column note text', 'jobs: column overlap text collate C']);
    await ledger.sql(`
      alter table jobs drop column note;
      alter table jobs alter column overlap set not null;
      alter table executions add constraint executions_interval_check check ((interval_start is null) = (interval_end is null));
      create index executions_browse on executions (job_name, scheduled_for, id)`);
    expect(await drift()).toEqual({ missing: [], added: [] });
  });

  it('compares nothing for a role that may not create a schema', async () => {
    const role = `reader_${process.pid}`;
    await ledger.sql(`create role ${role} login password 'secret'`);
    const url = new URL(ledger.url);
    [url.username, url.password] = [role, 'secret'];
    const source = await ledger.connect({ url: url.href });
    expect(await findSchemaDrift(source, ledger.schema)).toBeNull();
    await source.destroy();
    await ledger.sql(`drop role ${role}`);
  });
});

describe('checkListening', () => {
  it('hears its own hint, by the data source or another way', async () => {
    expect(await checkListening(ledger.dataSource, null)).toMatchObject({ works: true });
    expect(await checkListening(ledger.dataSource, ledger.url)).toMatchObject({ works: true });
  });

  it('tells a way on which no hint comes from one that leads nowhere', async () => {
    const elsewhere = new URL(ledger.url);
    elsewhere.pathname = '/postgres';
    expect(await checkListening(ledger.dataSource, elsewhere.href, 200)).toEqual({ works: false, error: null });
    const nowhere = await checkListening(ledger.dataSource, 'postgres://nobody@127.0.0.1:1/nothing');
    expect(nowhere).toMatchObject({ works: false, error: { code: 'ECONNREFUSED' } });
  });
});

describe('readServer', () => {
  it('sees the transaction that is open for longest, and not its own', async () => {
    const client = await ledger.client();
    await client.query(`set application_name = 'forgotten'; begin; select 1`);
    const { oldest, usedConnections, maxConnections } = await readServer(ledger.dataSource);
    expect(oldest).toMatchObject({ application: 'forgotten', state: 'idle in transaction' });
    expect(usedConnections).toBeLessThan(maxConnections);
    await client.query('rollback');
    expect((await readServer(ledger.dataSource)).oldest).toBeNull();
  });
});
