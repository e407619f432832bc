import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startProgram, type StartedProgram } from '../support/command.js';
import { backgroundJob } from '../support/engine.js';
import { TestLedger } from '../support/ledger.js';

const WHO = ['--reason', 'the server is back', '--actor', 'anna'];
const PATIENCE = { timeout: 30_000, interval: 20 };
const FAILED = 1_200;
/** A page of the commands. */
const PAGE = 500;

let ledger: TestLedger;
let other: pg.Client;
beforeAll(async () => {
  ledger = await TestLedger.create();
  other = new pg.Client({ connectionString: ledger.url });
  await other.connect();
});
beforeEach(async () => {
  await ledger.reset();
  await ledger.sql(
    `with e as (
       insert into executions (key, job_name, scheduled_for, queue, priority, max_attempts, trigger, created_at)
       select 'job:' || n, 'job', now() - interval '100 days', 'default', 0, 4, 'enqueue', now() - interval '100 days'
       from generate_series(1, $1::int) n returning id)
     insert into outcomes (execution_id, state, finished_at) select id, 'failed', now() - interval '100 days' from e`,
    [FAILED],
  );
  await ledger.sql(`insert into keys select substr(sha256(convert_to(key, 'UTF8')), 1, 16), id from executions`);
  await ledger.stores.schedules.register([backgroundJob({ name: 'job' })], null);
});
afterEach(() => other.query('rollback'));
afterAll(async () => {
  await other.end();
  await ledger.close();
});

/** Starts a command that has to wait for a table, so that it is in the middle of its first page; `go` lets it go on. */
async function inTheMiddle(
  table: string,
  ...args: string[]
): Promise<StartedProgram & { readonly go: () => Promise<unknown> }> {
  await other.query(`begin; lock table scheduled_jobs.${table} in share mode`);
  const program = startProgram(args, { DATABASE_URL: ledger.url });
  await vi.waitFor(async () => {
    const { rowCount } = await other.query(
      `select 1 from pg_locks where not granted and relation = 'scheduled_jobs.${table}'::regclass`,
    );
    expect(rowCount).toBe(1);
  }, PATIENCE);
  return { ...program, go: () => other.query('commit') };
}

const count = async (text: string): Promise<unknown> =>
  (await ledger.row(`select count(*)::int as count from ${text}`)).count;

it.each(['SIGINT', 'SIGTERM'] as const)(
  'a replay ends on %s behind its page, tells what was done, and goes on when it is repeated',
  async (signal) => {
    const replay = ['replay', '--job', 'job', '--yes', ...WHO];
    const { child, ended, go } = await inTheMiddle('audit', ...replay);
    child.kill(signal);
    await go();
    expect(await ended).toEqual({
      exitCode: 1,
      stdout:
        '500 execution(s) run again; 0 changed meanwhile and were left alone. Broken off: the same command goes on.\n',
      stderr: expect.not.stringContaining('rror'),
    });
    expect(await count('work')).toBe(PAGE);
    const rest = await startProgram([...replay, '--json'], { DATABASE_URL: ledger.url }).ended;
    expect(JSON.parse(rest.stdout)).toEqual({ dryRun: false, replayed: FAILED - PAGE, leftAlone: 0 });
  },
);

it('an acknowledgement of many and a prune end behind what is going on, and say so in JSON, too', async () => {
  const acknowledge = await inTheMiddle('audit', 'acknowledge', '--job', 'job', '--yes', '--json', ...WHO);
  acknowledge.child.kill('SIGTERM');
  await acknowledge.go();
  const acknowledged = await acknowledge.ended;
  expect([acknowledged.exitCode, JSON.parse(acknowledged.stdout)]).toEqual([
    1,
    { dryRun: false, count: PAGE, leftAlone: 0, brokenOff: true },
  ]);
  expect(await count('outcomes where acknowledged_at is not null')).toBe(PAGE);

  const prune = await inTheMiddle('executions', 'prune', '--yes', '--json');
  prune.child.kill('SIGINT');
  await prune.go();
  const pruned = await prune.ended;
  expect([pruned.exitCode, JSON.parse(pruned.stdout)]).toEqual([
    1,
    { dryRun: false, removed: 1_000, failures: [], brokenOff: true },
  ]);
  expect(await count('executions')).toBe(FAILED - 1_000);
});

it('a second signal ends a command that waits for the database', async () => {
  const { child, ended, go } = await inTheMiddle('audit', 'replay', '--job', 'job', '--yes', ...WHO);
  child.kill('SIGTERM');
  await vi.waitFor(() => {
    child.kill('SIGTERM');
    expect(child.signalCode).toBe('SIGTERM');
  }, PATIENCE);
  expect(await ended).toMatchObject({ exitCode: null, stdout: '' });
  await go();
  await vi.waitFor(async () => expect(await count('work')).toBe(0), PATIENCE);
});

it('a command that waits for the end of what it made tells how it stands', async () => {
  const trigger = startProgram(['trigger', 'export', '--key', 'k', '--wait', ...WHO, '--app', 'operated.mjs'], {
    DATABASE_URL: ledger.url,
  });
  await vi.waitFor(async () => expect(await count("executions where job_name = 'export'")).toBe(1), PATIENCE);
  trigger.child.kill('SIGINT');
  expect(await trigger.ended).toMatchObject({
    exitCode: 1,
    stdout: 'Added export:manual:k. It is pending still: nothing was canceled.\n',
  });
});
