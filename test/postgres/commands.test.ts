import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { JobsClient, ScheduledJob } from 'nestjs-scheduled-jobs';
import { LineLogger } from '../../libs/scheduled-jobs/src/cli/output/line-logger.js';
import { Progress } from '../../libs/scheduled-jobs/src/cli/output/progress.js';
import { runCommand } from '../../libs/scheduled-jobs/src/cli/run-command.js';
import { openForOperator } from '../../libs/scheduled-jobs/src/nest/open-for-operator.js';
import { jobsModule } from '../support/jobs-app.js';
import { after, attemptRecord, storedError, T0, TestLedger } from '../support/ledger.js';
import { expectInvariants } from '../support/ledger-invariants.js';

const GUIDE = readFileSync(new URL('../../docs/guides/commands.md', import.meta.url), 'utf8');

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.create();
});
afterEach(async () => {
  await expectInvariants(ledger);
  await ledger.reset();
});
afterAll(() => ledger.close());

const written: string[] = [];

/** Runs a command with nothing but the database. */
async function run(command: string, ...args: string[]) {
  written.length = 0;
  return runCommand([command, ...args], {
    folder: '/nowhere',
    environment: { DATABASE_URL: ledger.url },
    log: (line) => written.push(line),
    breakOff: () => new AbortController().signal,
    progress: new Progress({
      write: (text) => written.push(text),
      isTerminal: true,
      nowMs: () => performance.now() * 1_000,
    }),
  });
}

/** The members that the guide promises of the JSON of a command. */
function promised(command: string): readonly string[] {
  const row = GUIDE.split('\n').find(
    (line) => /^\| `[a-z`, -]+ +\| `[a-zA-Z]+`/.test(line) && line.includes(`\`${command}\``),
  );
  return [...(row ?? '').matchAll(/`([a-zA-Z]+)`/g)].map(([, member]) => member ?? '');
}

async function json(
  command: string,
  ...args: string[]
): Promise<{ exitCode: number; report: Record<string, unknown> }> {
  const { exitCode, output, complaint } = await run(command, ...args, '--json');
  expect(complaint).toBe('');
  const report = JSON.parse(output) as Record<string, unknown>;
  expect(Object.keys(report).filter((member) => !promised(command).includes(member))).toEqual([]);
  return { exitCode, report };
}

/** Executions of a job that have failed, by their keys. */
async function failures(...keys: string[]): Promise<void> {
  await ledger.insert(...keys.map((key) => ({ jobName: 'job', key, maxAttempts: 1 })));
  const claimed = await ledger.claim({ take: keys.length });
  const failed = { disposition: 'failed', outcome: 'failed', error: storedError(), finishedAt: after(1_000) } as const;
  await ledger.stores.work.finish(
    claimed.map((one) => attemptRecord(one, failed)),
    { workerId: 'w1', now: after(1_000) },
  );
}

const WHO = ['--reason', 'the server is back', '--actor', 'anna'];

class Minutely {
  @ScheduledJob('* * * * *', { name: 'minutely', startAt: T0 })
  run(): void {}
}

describe('an application that a command starts', () => {
  it('registers nothing and starts nothing, whatever its module says', async () => {
    const { url, schema } = ledger;
    const jobs = { schema, scheduler: true, migrations: 'run' } as const;
    const logger = new LineLogger((line) => expect.unreachable(line));
    const app = await openForOperator(jobsModule({ url, providers: [Minutely], jobs }), logger);
    await app.get(JobsClient).trigger('minutely', { key: 'k', actor: 'anna', reason: 'x' });
    await app.close();
    const tables = ['jobs', 'schedules', 'instances', 'leases', 'queues'];
    const rows = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ');
    expect(await ledger.row(`select ${rows}`)).toEqual(Object.fromEntries(tables.map((table) => [table, 0])));
    expect(await ledger.row('select key from executions')).toEqual({ key: 'minutely:manual:k' });
  });
});

describe('migrate', () => {
  it('tells what it would do, does it, and has nothing to do then', async () => {
    const where = ['--schema', 'other_jobs'];
    const preview = await json('migrate', '--dry-run', ...where);
    expect(preview).toMatchObject({ exitCode: 0, report: { schema: 'other_jobs', from: 0, dryRun: true } });
    expect(await ledger.row(`select to_regnamespace('other_jobs') as found`)).toEqual({ found: null });
    const done = await json('migrate', ...where);
    expect(done.report).toEqual({ ...preview.report, dryRun: false });
    expect(await run('migrate', ...where)).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^The schema "other_jobs" has version \d+: there is nothing to do\.\n$/),
    });
    await ledger.sql('drop schema other_jobs cascade');
  });

  it('is what any other command asks for where there are no tables', async () => {
    expect(await run('status', '--schema', 'nothing_here')).toMatchObject({
      exitCode: 1,
      output: '',
      complaint: expect.stringContaining('The database has no schema "nothing_here" of scheduled jobs.'),
    });
    expect((await run('status', '--schema', 'nothing_here')).complaint).toContain(
      '"npx nestjs-scheduled-jobs migrate --schema nothing_here"',
    );
  });
});

describe('status', () => {
  it('names the database that cannot be opened, who named it and why, without a password', async () => {
    const url = new URL(ledger.url);
    url.pathname = '/nothing_here';
    const { exitCode, output, complaint } = await run('status', '--database-url', url.href);
    expect([exitCode, output]).toEqual([1, '']);
    expect(complaint).toMatch(
      /^Cannot open the database "nothing_here" on \S+:\d+ as "\w+", which --database-url names: database "nothing_here" does not exist\n$/,
    );
  });

  it('tells how everything stands, and terminals obey nothing of it', async () => {
    await ledger.jobs({ name: 'job' });
    await failures('job:1', 'job:2');
    await ledger.insert({ jobName: 'job', key: 'job:3', queue: 'mail\u001b[2J' });
    const { report } = await json('status');
    expect(report).toMatchObject({
      schedules: [],
      queues: [{ name: 'mail\u001b[2J', ready: 1, running: 0, pause: null }],
      instances: [],
      deadLetters: {
        count: 2,
        capped: false,
        groups: [{ jobs: ['job'], fingerprint: 'f1', errorClass: 'TypeError', count: 2 }],
      },
    });
    const { exitCode, output } = await run('status');
    expect(exitCode).toBe(0);
    expect(output).not.toContain('Backfills');
    expect(output).toMatch(/^Dead letters: 2$/m);
    expect(output).toMatch(/^ {2}2 +TypeError {2}f1 {10,}job {3}2026-03-01T12:00:01Z {2}job:2$/m);
    expect(output).toContain('mail\\u001b[2J');
    expect(output).not.toContain('\u001b');
  });
});

describe('status of instances', () => {
  it('counts those that are alive apart from those that have gone', async () => {
    const facts = {
      roles: ['worker'],
      workerId: 'w1',
      version: '1.0.0',
      definitionsDigest: 'd',
      zoneData: null,
    } as const;
    await ledger.stores.instances.seen({ ...facts, instanceId: 'new' }, null);
    expect((await run('status')).output).toMatch(/^Instances: 1$/m);
    await ledger.stores.instances.seen({ ...facts, instanceId: 'old' }, new Date(Date.now() - 3_600_000));
    expect((await run('status')).output).toMatch(/^Instances: 1 alive, 1 gone$/m);
    await ledger.stores.instances.stopped('new', null);
    const { output } = await run('status');
    expect(output).toMatch(/^Instances: 0 alive, 1 stopped, 1 gone$/m);
    expect(output).toMatch(/^ {2}new .+ ago, stopped$/m);
  });
});

describe('status of backfills', () => {
  it('tells which are open, and how far they have come', async () => {
    await ledger.sql(
      `insert into backfills (job_name, from_at, to_at, direction, occurrences, inserted, existing, pruned, actor, created_at)
       values ('job', $1, $1, 'oldest-first', 3, 3, 0, 0, 'ann', $1), ('job', $1, $1, 'newest-first', 0, 0, 0, 0, null, $1)`,
      [T0],
    );
    const { id } = await ledger.row<{ id: string }>('select min(id) as id from backfills');
    await ledger.insert({ key: 'job:1' });
    await ledger.sql('update executions set backfill_id = $1', [id]);
    const { report } = await json('status');
    expect(report['backfills']).toMatchObject([{ backfillId: id, state: 'open', states: { pending: 1 } }]);
    expect((await run('status')).output).toMatch(/^ {2}\d+ +job +2026-\S+ +2026-\S+ +oldest-first +2 of 3 +ann +-$/m);
  });
});

describe('why', () => {
  it('tells how an execution ended, with its error', async () => {
    await failures('job:1');
    expect(await run('why', 'job:1')).toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^job:1 {2}\(job job, failed, .*\n.*\nError: TypeError: E_BOOM: boom\n$/),
    });
    expect((await json('why', 'job:1')).report).toMatchObject({
      key: 'job:1',
      state: 'failed',
      standing: { kind: 'ended', state: 'failed' },
      error: { errorClass: 'TypeError', code: 'E_BOOM', message: 'boom' },
    });
  });

  it('ends with 1 when there is none', async () => {
    expect(await run('why', 'job:9')).toEqual({
      exitCode: 1,
      output: '',
      complaint: 'There is no execution with the key or id "job:9".\n',
    });
  });
});

describe('retry and cancel', () => {
  it('act on one execution, with actor and reason in the audit', async () => {
    await failures('job:1');
    expect((await json('retry', 'job:1', ...WHO)).report).toMatchObject({ key: 'job:1' });
    expect((await json('cancel', 'job:1', ...WHO)).report).toMatchObject({ key: 'job:1', done: 'canceled' });
    expect(await ledger.sql('select action, subject, actor, reason from audit order by id')).toEqual([
      { action: 'replay', subject: 'job:1', actor: 'anna', reason: 'the server is back' },
      { action: 'cancel', subject: 'job:1', actor: 'anna', reason: 'the server is back' },
    ]);
  });

  it('say who acts by the user and the machine when nobody says it', async () => {
    await failures('job:1');
    await run('retry', 'job:1', '--reason', 'x');
    const { actor } = await ledger.row<{ actor: string }>('select actor from audit');
    expect(actor).toMatch(/^.+@.+$/);
  });

  it('end with 1 for a state that does not allow it', async () => {
    await failures('job:1');
    expect(await run('cancel', 'job:1', ...WHO)).toMatchObject({
      exitCode: 1,
      complaint: expect.stringContaining('has ended failed'),
    });
    await ledger.insert({ jobName: 'job', key: 'job:2' });
    expect(await run('retry', 'job:2', ...WHO)).toMatchObject({
      exitCode: 1,
      complaint: expect.stringContaining('is pending'),
    });
  });
});

describe('replay', () => {
  it('looks first, then puts all back page by page, and shows how far it is', async () => {
    await failures(...Array.from({ length: 1_200 }, (_, index) => `job:${index}`));
    const { report } = await json('replay', '--job', 'job', ...WHO);
    expect(report).toMatchObject({ dryRun: true, count: 1_200, groups: [{ job: 'job', count: 1_200 }] });
    expect(await ledger.row(`select count(*)::int from outcomes`)).toEqual({ count: 1_200 });
    const limited = await json('replay', '--job', 'job', '--limit', '700', '--yes', ...WHO);
    expect(limited.report).toEqual({ dryRun: false, replayed: 700, leftAlone: 0 });
    expect(written.join('')).toContain('of 700 replayed');
    expect((await json('replay', '--job', 'job', '--yes', ...WHO)).report).toMatchObject({ replayed: 500 });
    expect(await ledger.row(`select count(*)::int from outcomes`)).toEqual({ count: 0 });
  });

  it('refuses to mean everything', async () => {
    expect(await run('replay', '--yes', ...WHO)).toMatchObject({
      exitCode: 2,
      complaint: expect.stringContaining('Name at least one filter: --job, --queue, --states, '),
    });
  });
});

describe('acknowledge', () => {
  it('takes failures off the dead letters, and ends with 1 when one is none', async () => {
    await failures('job:1', 'job:2');
    expect((await json('acknowledge', 'job:1', 'job:2', ...WHO)).report).toEqual({
      acknowledged: ['job:1', 'job:2'],
      unchanged: [],
    });
    expect((await json('acknowledge', 'job:1', ...WHO)).exitCode).toBe(0);
    expect(await run('acknowledge', 'job:1', 'job:9', ...WHO)).toMatchObject({
      exitCode: 1,
      output: 'job:1: it was acknowledged before (failed).\njob:9: there is no such execution.\n',
    });
  });

  it('looks first by filter, then takes all of one kind off', async () => {
    await failures(...Array.from({ length: 450 }, (_, index) => `job:${index}`));
    const who = ['--fingerprint', 'f1', ...WHO];
    expect((await json('acknowledge', ...who)).report).toMatchObject({
      dryRun: true,
      count: 450,
      groups: [{ job: 'job' }],
    });
    expect(await ledger.row('select count(acknowledged_at)::int from outcomes')).toEqual({ count: 0 });
    expect((await json('acknowledge', '--yes', ...who)).report).toEqual({ dryRun: false, count: 450, leftAlone: 0 });
    expect(await ledger.row('select count(acknowledged_at)::int from outcomes')).toEqual({ count: 450 });
    expect((await run('acknowledge', ...who)).output).toBe('There is no such dead letter.\n');
  });
});

describe('pause and resume', () => {
  it('let a queue rest', async () => {
    await ledger.insert({ jobName: 'job', queue: 'mail' });
    expect((await json('pause', '--queue', 'mail', ...WHO)).report).toMatchObject({ changed: true });
    expect(await run('pause', '--queue', 'mail', ...WHO)).toMatchObject({
      output: expect.stringContaining('was paused before'),
    });
    expect((await json('resume', '--queue', 'mail', ...WHO)).report).toMatchObject({ changed: true });
    expect(await run('pause', '--queue', 'mai', ...WHO)).toMatchObject({
      exitCode: 2,
      complaint: expect.stringContaining('Did you mean "mail"?'),
    });
  });
});

describe('prune', () => {
  it('counts first, then removes what is older than its job keeps it', async () => {
    await ledger.jobs({ name: 'job' });
    await ledger.sql(`update jobs set retention = '{"failed": 60000}'`);
    await failures(...Array.from({ length: 2_500 }, (_, index) => `job:${index}`));
    expect((await json('prune')).report).toEqual({
      dryRun: true,
      jobs: [{ job: 'job', count: 2_500, capped: false }],
    });
    expect((await json('prune', '--yes')).report).toEqual({ dryRun: false, removed: 2_500, failures: [] });
    expect(written.join('')).toContain('executions removed');
    expect(await run('prune')).toMatchObject({ output: 'No execution is older than its job keeps it.\n' });
    expect(T0.getTime()).toBeLessThan(Date.now());
  });
});
