import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { advisoryLock } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { commandApp } from '../support/command.js';
import { eventually } from '../support/engine.js';
import { TestLedger } from '../support/ledger.js';

const SCHEMA = 'scheduled_jobs';

describe('A worker that gets SIGTERM while it starts', () => {
  let ledger: TestLedger;
  let child: ChildProcess | null = null;
  beforeEach(async () => {
    ledger = await TestLedger.create({ migrated: false });
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await ledger.close();
  });

  const start = (): ChildProcess => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: ledger.url };
    child = spawn(process.execPath, [commandApp('working')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    return child;
  };
  const terminate = async (started: ChildProcess): Promise<number> => {
    const signalledMs = performance.now();
    started.kill('SIGTERM');
    if (started.exitCode === null && started.signalCode === null) await once(started, 'exit');
    return performance.now() - signalledMs;
  };
  const waitsForMigration = () =>
    eventually(async () => (await ledger.lockWaits('advisory')) === 1, {
      what: 'a process that waits for its turn to migrate',
      withinMs: 15_000,
    });
  const schemas = () => ledger.sql('select nspname from pg_namespace where nspname = $1', [SCHEMA]);

  it('ends at once, leaves no half of a migration and nothing running, and the next one starts', async () => {
    const loading = start();
    await once(loading, 'spawn');
    expect(await terminate(loading)).toBeLessThan(5_000);

    const migrating = await ledger.client();
    await migrating.query('begin');
    await migrating.query('select pg_advisory_xact_lock($1, $2)', [...advisoryLock(SCHEMA, 'migrate')]);
    const waiting = start();
    await waitsForMigration();
    expect(await terminate(waiting)).toBeLessThan(5_000);
    await migrating.query('rollback');
    expect(await schemas()).toEqual([]);

    const working = start();
    await once(working.stdout!, 'data');
    expect(await ledger.sql(`select 1 from ${SCHEMA}.work where phase = 'leased'`)).toEqual([]);
    expect(await terminate(working)).toBeLessThan(5_000);
    expect(working.exitCode).toBe(0);
  }, 60_000);
});
