import { createServer } from 'node:net';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BareProcesses } from '../support/bare-process.js';
import { commandApp, runProgram, runScript, runUnheard } from '../support/command.js';
import { scheduledJob } from '../support/engine.js';
import { expectInvariants } from '../support/ledger-invariants.js';
import { after, attemptRecord, T0, TestLedger } from '../support/ledger.js';

const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing';
const WORKER_APP = fileURLToPath(new URL('../../dist/apps/worker/app.module.js', import.meta.url));
const STACK = /^\s+at .+:\d+/m;

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.create();
});
afterEach(async () => {
  await expectInvariants(ledger);
  await ledger.reset();
});
afterAll(() => ledger.close());

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

describe('tick', () => {
  const tick = (env: Readonly<Record<string, string>> = {}, ...args: string[]) =>
    runProgram(['tick', commandApp('ticking'), ...args], {
      DATABASE_URL: ledger.url,
      START_AT: minutesAgo(1),
      ...env,
    });

  it('makes one pass and ends, although the application has timers; only the answer is on the standard output', async () => {
    const { exitCode, stdout, stderr } = await tick({}, '--json');
    expect(exitCode).toBe(0);
    expect(stdout.trimEnd()).not.toContain('\n');
    const { count } = await ledger.row<{ count: number }>('select count(*)::int from executions');
    expect(JSON.parse(stdout)).toMatchObject({ inserted: count, failures: [], overduePeriods: 0 });
    expect(count).toBeGreaterThanOrEqual(60);
    expect(stderr).toBe('printed while it is loaded\nprinted by a provider\nprinted by a hook\n');
    expect(await ledger.row('select count(*)::int from attempts')).toEqual({ count: 0 });
  });

  it('ends with code 1 when a schedule fails, and tells which, while the others are ticked', async () => {
    const { exitCode, stdout, stderr } = await tick({ WITH_FAILING: 'yes' }, '--json');
    expect(exitCode).toBe(1);
    const report = JSON.parse(stdout) as { inserted: number };
    expect(report).toMatchObject({ failures: [{ job: 'failing', error: 'Error: no period today' }] });
    expect(report.inserted).toBeGreaterThanOrEqual(60);
    expect(stderr).toContain('error [ScheduledJobs] The schedule of "failing" stands still: Error: no period today');
    expect(stderr).not.toMatch(STACK);
  });

  it('goes on when nobody reads what it says beside the answer', async () => {
    const env = { DATABASE_URL: ledger.url, START_AT: minutesAgo(1), WITH_FAILING: 'yes' };
    const { exitCode, stdout } = await runUnheard(['tick', commandApp('ticking'), '--json'], env);
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([1, { failures: [{ job: 'failing' }] }]);
  });

  it('ends with code 1 and says why when the database is away', async () => {
    const { exitCode, stdout, stderr } = await tick({ DATABASE_URL: NOWHERE }, '--json');
    const { error } = JSON.parse(stdout) as { error: object };
    expect([exitCode, error]).toEqual([
      1,
      { code: 'JOBS_COMMAND_FAILED', message: expect.stringContaining('ECONNREFUSED') },
    ]);
    expect(stderr).toContain(
      'A server that the application needs, such as its database, cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
    );
    expect(stderr).not.toMatch(STACK);
  });

  it('gives each period once, however many passes and schedulers there are at the same time', async () => {
    const processes = new BareProcesses();
    const definition = scheduledJob('* * * * * *', { name: 'second', startAt: minutesAgo(45) });
    await ledger.stores.schedules.register([definition], null);
    try {
      const [loop, ...passes] = await Promise.all([
        processes.start({ url: ledger.url, jobs: ['second'], scheduler: true }),
        tick(),
        tick(),
      ]);
      const sentence = expect.stringMatching(
        /^Ticked at \S+Z in \d+ ms: \d+ schedule\(s\) were due; \d+ execution\(s\) added, .*\n$/,
      );
      for (const pass of passes) expect(pass).toMatchObject({ exitCode: 0, stdout: sentence });
      await loop.stop();
    } finally {
      await processes.killAll();
    }
    const rows = await ledger.row(`
      select count(*)::int as executions, count(distinct period)::int as periods,
        1 + extract(epoch from max(scheduled_for) - min(scheduled_for))::int as seconds
      from executions`);
    expect(rows['executions']).toBeGreaterThan(1_000);
    expect(rows).toEqual({ executions: rows['periods'], periods: rows['seconds'], seconds: rows['executions'] });
  });
});

describe('runTick', () => {
  it('leaves nothing behind that keeps its process', async () => {
    const script = `
      import { runTick } from 'nestjs-scheduled-jobs';
      import { AppModule } from './overlapping.mjs';
      const { schedules } = await runTick(AppModule, { logger: false });
      process.on('exit', () => console.log(schedules));`;
    const { exitCode, stdout } = await runScript(script, { DATABASE_URL: ledger.url });
    expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/printed by a hook\n\d+\n$/)]);
  });
});

describe('check', () => {
  const check = (app: string, ...args: string[]) => runProgram(['check', app, ...args]);

  it('finds all mistakes at once and ends with code 1', async () => {
    const { exitCode, stdout, stderr } = await check(commandApp('mistaken'), '--json', '--count', '2');
    expect([exitCode, stderr]).toEqual([1, '']);
    const report = JSON.parse(stdout) as {
      problems: string[];
      notes: string[];
      jobs: { name: string; warnings: string[] }[];
    };
    expect(report.notes).toEqual([expect.stringContaining('Forgotten.run is decorated and loaded, but no module')]);
    expect(report.problems).toEqual([
      expect.stringMatching(/^Never\.run .*"0 0 31 2 \*": never fires/),
      expect.stringMatching(/^Nowhere\.run .*there is no time zone "Europe\/Nowhere"/),
      expect.stringMatching(/^Zoneless\.run .*timeZone is required/),
      expect.stringContaining('is used by First.run ("report") and Second.run ("Report")'),
    ]);
    const warnings = Object.fromEntries(report.jobs.map(({ name, warnings }) => [name, warnings]));
    expect(warnings).toEqual({
      'at-night': [
        expect.stringMatching(/^02:30 does not exist on \d{4}-03-\d\d in Europe\/Berlin, .* it runs at 03:00\+02:00/),
        expect.stringMatching(
          /^02:30 comes twice on \d{4}-10-\d\d in Europe\/Berlin, .* it runs once, at 02:30\+02:00/,
        ),
      ],
      'every-second': [expect.stringContaining('fires every second of each minute')],
      report: [],
      Report: [],
    });
  });

  it('makes no provider and no connection', async () => {
    const connections: unknown[] = [];
    const server = createServer((socket) => {
      connections.push(socket);
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const url = `postgres://nobody@127.0.0.1:${port}/nothing`;
    const ended = await runProgram(['check', commandApp('ticking')], { DATABASE_URL: url });
    server.close();
    expect(ended).toMatchObject({ exitCode: 0, stderr: 'printed while it is loaded\n' });
    expect(connections).toEqual([]);
  });

  it('passes on the worker of this repository', async () => {
    const env = { DATABASE_URL: NOWHERE, ORDER_SERVER_URL: 'http://127.0.0.1:1' };
    const { exitCode, stdout } = await runProgram(['check', WORKER_APP, '--count', '1'], env);
    expect(stdout).toMatch(/^daily-report {2}\w+\.\w+\n {2}0 0 \* \* \* {2}At 00:00, every day \(Asia\/Shanghai\)$/m);
    expect([exitCode, stdout.includes('0 problem(s)')]).toEqual([0, true]);
  });

  it.each(['worker', 'api'])('refuses the file that starts the %s, before anything of it runs', async (app) => {
    const started = fileURLToPath(new URL(`../../dist/apps/${app}/main.js`, import.meta.url));
    const env = { DATABASE_URL: ledger.url, ORDER_SERVER_URL: 'http://127.0.0.1:1', API_TOKEN: 'a'.repeat(24) };
    const { exitCode, stdout, stderr } = await runProgram(['check', started], { ...env, PORT: '0' });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Cannot start the application:\n- this process is a command of nestjs-scheduled-jobs');
    expect(stderr).toContain('Give it the file of the root module');
    expect(
      await ledger.row('select (select count(*) from schedules) + (select count(*) from instances) as noted'),
    ).toEqual({ noted: '0' });
  });

  it('cannot know options that a factory makes: says so, and takes the zone from its arguments', async () => {
    const app = commandApp('made-later');
    const several = await check(app);
    expect([several.exitCode, several.stdout]).toEqual([2, '']);
    expect(several.stderr).toContain('exports several modules: FeatureModule, RootModule.');
    const zoned = await check(`${app}#RootModule`, '--time-zone', 'Asia/Shanghai');
    expect(zoned).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/T06:00\+08:00 {2}\S+T22:00:00Z/) });
  });

  it('compares the durations in the ledger with the distance between fires', async () => {
    await endedAttempt('slow', 61_000);
    await endedAttempt('quick', 1_500);
    const { exitCode, stdout } = await runProgram(['check', commandApp('overlapping'), '--database', '--count', '1'], {
      DATABASE_URL: ledger.url,
    });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^slow .*\n.*\n {2}warning: 95 % of the last 1 attempt\(s\) took at most 61 s, .* 60 s: executions queue up/m,
    );
    expect(stdout).toMatch(/^quick .*\n.*\n {2}no overlap: .* took at most 1\.5 s/m);
    expect(stdout).toMatch(/^unknown .*\n.*\n {2}overlap not known: no attempt has ended yet$/m);
    const away = await check(commandApp('overlapping'), '--database-url', NOWHERE);
    expect(away).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('problem: The database was not available to'),
    });
  });

  async function endedAttempt(jobName: string, durationMs: number): Promise<void> {
    await ledger.jobs({ name: jobName });
    await ledger.insert({ jobName });
    const [claimed] = await ledger.claim();
    const record = attemptRecord(claimed!, { finishedAt: after(durationMs) });
    await ledger.stores.work.finish([record], { workerId: 'w1', now: T0 });
  }
});
