import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { commandApp, runProgram } from '../support/command.js';
import { scheduledJob } from '../support/engine.js';
import { attemptRecord, storedError, TestLedger } from '../support/ledger.js';

const WHO = ['--reason', 'the server is back', '--actor', 'anna'];
const START = '2026-01-01T00:00:00Z';

let ledger: TestLedger;
/** Its package.json names the application. */
let folder: string;
beforeAll(async () => {
  ledger = await TestLedger.create();
  folder = mkdtempSync(join(tmpdir(), 'operator-commands-test-'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ 'nestjs-scheduled-jobs': { app: commandApp('operated') } }),
  );
});
beforeEach(() => ledger.reset());
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await ledger.close();
});

async function run(...args: string[]) {
  const ended = await runProgram(args, { DATABASE_URL: ledger.url }, folder);
  expect(ended.stderr.replace(/^printed by .*\n/gm, '')).toBe('');
  return ended;
}

it('adds an execution through the application that package.json names, which registers nothing and starts nothing', async () => {
  const { exitCode, stdout } = await run('trigger', 'export', '--payload', '{"a":1}', '--key', 'k1', ...WHO);
  expect([exitCode, stdout]).toEqual([0, 'Added export:manual:k1.\n']);
  expect(await ledger.row('select job_name, payload, actor, trigger from executions')).toEqual({
    job_name: 'export',
    payload: { a: 1 },
    actor: 'anna',
    trigger: 'trigger',
  });
  const counts = ['jobs', 'schedules', 'instances', 'attempts'].map((table) => `(select count(*)::int from ${table})`);
  expect(await ledger.row(`select ${counts.join(' + ')} as rows`)).toEqual({ rows: 0 });
});

it('waits for the end of what it triggered, and ends with 1 when that did not succeed', async () => {
  const waiting = run('trigger', 'export', '--key', 'k2', '--wait', ...WHO);
  const claimed = await vi.waitUntil(async () => (await ledger.claim({ now: new Date() }))[0], {
    timeout: 30_000,
    interval: 100,
  });
  const failed = { disposition: 'failed', outcome: 'failed', error: storedError() } as const;
  await ledger.stores.work.finish([attemptRecord(claimed, failed)], { workerId: 'w1', now: null });
  expect(await waiting).toMatchObject({ exitCode: 1, stdout: 'Added export:manual:k2. It ended failed.\n' });
});

it('looks at a backfill, and then does it', async () => {
  await ledger.stores.schedules.register([scheduledJob('0 6 * * *', { name: 'report', startAt: START })], null);
  const range = ['--from', '2026-02-01T00:00:00Z', '--to', '2026-02-03T23:00:00Z', ...WHO];
  const look = await run('backfill', 'report', ...range);
  expect([look.exitCode, look.stdout]).toEqual([
    0,
    'Would add 3 execution(s), from report:2026-02-01 to report:2026-02-03: of 3 period(s), 0 have one and 0 had one. Nothing was done; do it with --yes.\n',
  ]);
  const done = await run('backfill', 'report', ...range, '--yes', '--json');
  const { backfillId } = JSON.parse(done.stdout) as { backfillId: string };
  expect(JSON.parse(done.stdout)).toMatchObject({
    inserted: 3,
    done: false,
    states: { pending: 3 },
    reason: 'the server is back',
  });
  const cancel = await run('cancel', '--backfill', backfillId, '--yes', ...WHO);
  expect(cancel.stdout).toBe(`Canceled 3 execution(s) of backfill ${backfillId}.\n`);
});

it('pauses and resumes a job, and tells the runbook of one of its executions', async () => {
  const runbook = 'https://wiki/report';
  await ledger.stores.schedules.register(
    [scheduledJob('0 6 * * *', { name: 'report', startAt: START, runbook })],
    null,
  );
  expect(await run('pause', 'report', ...WHO)).toMatchObject({ exitCode: 0, stdout: 'The job report is paused.\n' });
  await ledger.insert({ jobName: 'report', key: 'report:1' });
  const why = await run('why', 'report:1');
  expect(why.stdout).toMatch(/^report:1 .*\n.*paused.*anna.*\nRunbook: https:\/\/wiki\/report\n$/);
  const resumed = await run('resume', 'report', '--catch-up', ...WHO);
  expect(resumed.stdout).toBe('The job report goes on.\n');
});

it('ends with 2 for a job that there is not', async () => {
  const { exitCode, stderr } = await runProgram(['pause', 'reprot', ...WHO], { DATABASE_URL: ledger.url }, folder);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Did you mean "report"?')]);
});
