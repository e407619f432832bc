import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandApp, startProgram } from '../support/command.js';
import { eventually } from '../support/engine.js';
import { expectInvariants } from '../support/ledger-invariants.js';
import { TestLedger } from '../support/ledger.js';

const EXECUTIONS = 200;
const PRUNERS = 3;

describe('prune beside a worker that runs what it removes a moment later', () => {
  let ledger: TestLedger;
  let worker: ChildProcess;
  beforeEach(async () => {
    ledger = await TestLedger.create();
    const env = { PATH: process.env['PATH'], DATABASE_URL: ledger.url };
    worker = spawn(process.execPath, [commandApp('working')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(worker.stdout!, 'data');
  });
  afterEach(async () => {
    worker.kill('SIGTERM');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
    await ledger.close();
  });

  it('removes each execution once and whole, keeps its key, and disturbs nothing that runs', async () => {
    await ledger.sql(`update jobs set retention = '{"succeeded": 1, "failed": 1, "skipped": 1, "canceled": 1}'`);
    const wanted = Array.from({ length: EXECUTIONS }, (_, n) => ({ jobName: 'second', key: `second:${n}` }));
    await ledger.insert(...wanted);
    let removed = 0;
    await eventually(
      async () => {
        const passes = Array.from({ length: PRUNERS }, () =>
          startProgram(['prune', '--yes', '--json'], { DATABASE_URL: ledger.url }),
        );
        for (const { exitCode, stdout } of await Promise.all(passes.map(({ ended }) => ended))) {
          expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { failures: [] }]);
          removed += (JSON.parse(stdout) as { removed: number }).removed;
        }
        // the upkeep of the worker removes some, too
        return (await ledger.sql(`select 1 from executions where trigger = 'enqueue' limit 1`)).length === 0;
      },
      { withinMs: 50_000, what: 'the end of all executions' },
    );
    expect(removed).toBeGreaterThan(0);
    worker.kill('SIGTERM');
    await once(worker, 'exit');
    expect(worker.exitCode).toBe(0);
    await expectInvariants(ledger);
    expect(
      await ledger.row(`select count(*)::int as kept from keys k where exists (
      select 1 from generate_series(0, ${EXECUTIONS - 1}) n
      where k.key_hash = substr(sha256(convert_to('second:' || n, 'UTF8')), 1, 16))`),
    ).toEqual({ kept: EXECUTIONS });
    expect(
      await ledger.sql(`select count(*)::int as left from attempts a
      where not exists (select 1 from executions e where e.id = a.execution_id)`),
    ).toEqual([{ left: 0 }]);
  });
});
