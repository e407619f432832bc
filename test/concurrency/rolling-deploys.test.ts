import { afterEach, describe, expect, it } from 'vitest';
import type { NewExecution } from '../../libs/scheduled-jobs/src/core/execution/new-execution.js';
import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import type { ScheduleStore } from '../../libs/scheduled-jobs/src/core/ports/schedule-store.js';
import { SchedulePlanner } from '../../libs/scheduled-jobs/src/core/schedule/schedule-plan.js';
import { BareProcesses } from '../support/bare-process.js';
import { eventually, scheduledJob } from '../support/engine.js';
import { newExecution } from '../support/ledger.js';
import { useLedger } from '../support/ledger-tests.js';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';
import { useWorkers } from '../support/test-workers.js';

const ledgerOf = useLedger();
const startWorker = useWorkers(ledgerOf);

const time = (text: string): number => Date.parse(`${text}Z`);
const START = time('2026-03-01T12:00:00');
const at = (second: number): number => START + second * 1_000;

/** One instance of an application: it registers when it starts, and carries and ticks as long as it lives. */
class Instance {
  private readonly planner: SchedulePlanner;
  private nextCarryMs = 0;

  constructor(
    private readonly store: ScheduleStore,
    private readonly code: Code,
  ) {
    this.planner = new SchedulePlanner(code.jobs, () => undefined);
  }

  async start(nowMs: number): Promise<void> {
    this.nextCarryMs = nowMs;
    await this.store.register(this.code.jobs, new Date(nowMs), this.code.release);
  }

  async step(nowMs: number): Promise<void> {
    const ticking = this.tick(new Date(nowMs));
    if (nowMs >= this.nextCarryMs) {
      this.nextCarryMs = nowMs + 30_000;
      await this.store.carry(this.code.jobs, new Date(nowMs), this.code.release);
    }
    await ticking;
  }

  /** Until nothing is due that it can take. */
  private async tick(now: Date): Promise<void> {
    const request = { jobNames: this.planner.jobNames, limit: 100, now };
    for (;;) {
      const { schedules, failures } = await this.store.tick(request, (due) => this.planner.plan(due));
      if (failures.length > 0) throw failures[0]!.error;
      if (schedules === 0) return;
    }
  }
}

interface Code {
  readonly jobs: readonly JobDefinition[];
  readonly release?: number;
}

/** When, in seconds after the start, an instance with some code starts and ends. */
interface Life {
  readonly code: Code;
  readonly from: number;
  readonly to: number;
}

/** Lets instances live side by side, each with connections of its own; all do their steps of one moment at once. */
async function deploy(lives: readonly Life[], { stepSeconds = 5 } = {}): Promise<void> {
  const random = seededRandom(testSeed());
  const end = Math.max(...lives.map(({ to }) => to));
  const all = lives.map((life) => ({ ...life, instance: null as Instance | null }));
  for (let second = 0; second <= end; second += stepSeconds) {
    const living = all.filter(({ from, to }) => from <= second && second <= to);
    const moment = living.map(async (life) => {
      await new Promise((resolve) => setTimeout(resolve, random() * 10));
      if (life.instance !== null) return life.instance.step(at(second));
      const dataSource = await ledgerOf().connect({ poolSize: 3 });
      life.instance = new Instance(ledgerOf().storesOf(dataSource).schedules, life.code);
      await life.instance.start(at(second));
      return life.instance.step(at(second));
    });
    await Promise.all(moment);
  }
}

const everySeconds = (name: string, seconds: number, options: object = {}): JobDefinition =>
  scheduledJob(`*/${seconds} * * * * *`, { name, ...options });
/** The seconds in (from, to] that are multiples of `every`. */
const multiples = (every: number, from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, index) => from + index + 1).filter((second) => second % every === 0);
/** Seconds after the start, of all executions of a job. */
const seconds = async (name: string): Promise<number[]> =>
  (
    await ledgerOf().sql<{ second: number }>(
      `select extract(epoch from scheduled_for - $1)::int as second from executions where job_name = $2 order by scheduled_for`,
      [new Date(START), name],
    )
  ).map(({ second }) => second);
const versions = async (name: string) =>
  (
    await ledgerOf().sql<{ expression: string; second: number }>(
      `select expression, extract(epoch from valid_from - $1)::int as second from schedule_versions
       where schedule_name = $2 order by version`,
      [new Date(START), name],
    )
  ).map(({ expression, second }) => [expression, second] as const);
const keysOf = async (): Promise<string[]> =>
  (await ledgerOf().sql<{ key: string }>('select key from executions order by scheduled_for, key')).map(
    ({ key }) => key,
  );

describe('A rolling deploy of a changed schedule', () => {
  const before: Code = { jobs: [everySeconds('job', 10)] };
  const after: Code = { jobs: [everySeconds('job', 15)] };

  it('loses and doubles no period and writes the new definition once', async () => {
    await deploy([
      { code: before, from: 0, to: 70 },
      { code: before, from: 0, to: 110 },
      { code: before, from: 0, to: 150 },
      { code: after, from: 60, to: 300 },
      { code: before, from: 80, to: 150 }, // an old instance that starts anew meanwhile
      { code: after, from: 100, to: 300 },
      { code: after, from: 140, to: 300 },
    ]);
    expect(await versions('job')).toEqual([
      ['*/10 * * * * *', 0],
      ['*/15 * * * * *', 60],
    ]);
    expect(await seconds('job')).toEqual([...multiples(10, 0, 60), ...multiples(15, 60, 300)]);
  });

  it('that is rolled back writes the old definition once more, two minutes after the last new instance', async () => {
    await deploy([
      { code: before, from: 0, to: 400 },
      { code: after, from: 60, to: 150 },
      { code: after, from: 75, to: 130 },
      { code: before, from: 140, to: 400 },
    ]);
    const [, , rolledBack, ...more] = await versions('job');
    expect(more).toEqual([]);
    expect(rolledBack![1]).toBeGreaterThan(240);
    expect(rolledBack![1]).toBeLessThanOrEqual(305);
    expect(await seconds('job')).toEqual([
      ...multiples(10, 0, 60),
      ...multiples(15, 60, rolledBack![1]),
      ...multiples(10, rolledBack![1], 400),
    ]);
  });

  it('that is rolled back by a greater release has the old definition in force at once', async () => {
    await deploy([
      { code: { ...before, release: 1 }, from: 0, to: 90 },
      { code: { ...after, release: 2 }, from: 60, to: 200 },
      { code: { ...before, release: 3 }, from: 120, to: 260 },
    ]);
    expect((await versions('job')).map(([, second]) => second)).toEqual([0, 60, 120]);
    expect(await seconds('job')).toEqual([
      ...multiples(10, 0, 60),
      ...multiples(15, 60, 120),
      ...multiples(10, 120, 260),
    ]);
  });
});

describe('A rolling deploy of a renamed schedule', () => {
  const before: Code = { jobs: [everySeconds('old', 10)] };
  const renamed: Code = { jobs: [everySeconds('new', 10, { aliases: ['old'] })] };
  const changed: Code = { jobs: [everySeconds('new', 15, { aliases: ['old'] })] };

  it('loses and doubles no period', async () => {
    await deploy([
      { code: before, from: 0, to: 100 },
      { code: before, from: 0, to: 160 },
      { code: renamed, from: 60, to: 300 },
      { code: before, from: 80, to: 160 },
      { code: renamed, from: 90, to: 300 },
    ]);
    expect(await seconds('old')).toEqual(multiples(10, 0, (await seconds('old')).at(-1)!));
    expect(await seconds('new')).toEqual(multiples(10, (await seconds('old')).at(-1)!, 300));
    expect((await seconds('old')).at(-1)).toBeGreaterThanOrEqual(50);
    expect((await seconds('old')).at(-1)).toBeLessThanOrEqual(60);
    expect([await versions('old'), await versions('new')]).toEqual([[['*/10 * * * * *', 0]], [['*/10 * * * * *', 0]]]);
  });

  it('that changes the definition, too, has each period by the one in force', async () => {
    await deploy([
      { code: before, from: 0, to: 120 },
      { code: changed, from: 60, to: 240 },
    ]);
    const all = [...(await seconds('old')), ...(await seconds('new'))];
    expect(all).toEqual([...multiples(10, 0, 60), ...multiples(15, 60, 240)]);
  });

  it('that is rolled back and done again loses and doubles no period', async () => {
    await deploy([
      { code: before, from: 0, to: 100 },
      { code: renamed, from: 60, to: 200 },
      { code: before, from: 180, to: 500 },
      { code: renamed, from: 480, to: 800 },
      { code: before, from: 490, to: 520 },
    ]);
    const all = [...(await seconds('old')), ...(await seconds('new'))].toSorted((a, b) => a - b);
    expect(all).toEqual(multiples(10, 0, 800));
    expect((await seconds('new')).filter((second) => second > 200 && second <= 500)).toEqual([]);
    expect([(await versions('old')).length, (await versions('new')).length]).toEqual([1, 1]);
  });
});

describe('A changed schedule', () => {
  const runAt = async (jobs: readonly JobDefinition[], ...moments: string[]) => {
    const instance = new Instance(ledgerOf().stores.schedules, { jobs });
    await instance.start(time(moments[0]!));
    for (const moment of moments) await instance.step(time(moment));
  };

  it('has no period of the new expression before the change, and only such after it', async () => {
    await runAt([scheduledJob('* * * * *')], '2018-01-04T23:47:30', '2018-01-04T23:48:10');
    await runAt([scheduledJob('0 11 * * 5')], '2018-01-04T23:49:00', '2018-01-05T10:59:59');
    expect(await keysOf()).toEqual(['job:2018-01-04T23:48+00:00', 'job:2018-01-04T23:49+00:00']);
    await runAt([scheduledJob('0 11 * * 5')], '2018-01-05T11:00:00', '2018-01-12T10:59:59', '2018-01-12T11:00:00');
    expect((await keysOf()).slice(2)).toEqual(['job:2018-01-05', 'job:2018-01-12']);
    expect(await ledgerOf().sql('select job_name from skipped_ranges')).toEqual([]);
  });

  it('that moves to another zone in the middle of a day loses and doubles nothing', async () => {
    const twice = (timeZone: string) => [scheduledJob('0 9,15 * * *', { timeZone })];
    await runAt(twice('America/New_York'), '2026-06-09T12:00:00', '2026-06-09T20:00:00', '2026-06-10T13:30:00');
    await runAt(twice('Europe/Berlin'), '2026-06-10T14:00:00', '2026-06-11T14:00:00');
    expect(await keysOf()).toEqual([
      'job:2026-06-09T09:00-04:00',
      'job:2026-06-09T15:00-04:00',
      'job:2026-06-10T09:00-04:00',
      'job:2026-06-11T09:00+02:00',
      'job:2026-06-11T15:00+02:00',
    ]);
  });

  it('whose periods get another form of label loses and doubles nothing', async () => {
    const daily = (cron: string) => [scheduledJob(cron, { timeZone: 'Europe/Berlin' })];
    await runAt(daily('0 6 * * *'), '2026-06-09T03:00:00', '2026-06-09T20:00:00', '2026-06-10T04:00:00');
    await runAt(daily('0 6,18 * * *'), '2026-06-10T12:00:00', '2026-06-11T04:00:00');
    await runAt(daily('0 6 * * *'), '2026-06-11T12:00:00', '2026-06-12T04:00:00');
    expect(await keysOf()).toEqual([
      'job:2026-06-09',
      'job:2026-06-10',
      'job:2026-06-10T18:00+02:00',
      'job:2026-06-11T06:00+02:00',
      'job:2026-06-12',
    ]);
  });
});

describe('Workers of two versions of an application', () => {
  const insertNow = async (count: number, execution: Partial<NewExecution>) => {
    const executions = Array.from({ length: count }, () => newExecution(execution));
    const inserted = await ledgerOf().stores.executions.insert(executions, { tx: null, now: null });
    return inserted.map(({ executionId }) => executionId);
  };

  it('run what they know: the executions of a new job wait for the new worker', async () => {
    const calls: string[] = [];
    await startWorker({ a: () => calls.push('old') }, { pollIntervalMs: 10 });
    await ledgerOf().jobs({ name: 'b' });
    const ids = await insertNow(50, { jobName: 'b' });
    const worker = await startWorker({ a: () => calls.push('new a'), b: () => calls.push('new b') });
    const ended = await Promise.all(ids.map((id) => worker.ended(id)));
    expect(ended.every(({ state, attempts }) => state === 'succeeded' && attempts === 1)).toBe(true);
    expect(calls).toEqual(ids.map(() => 'new b'));
  });

  it('leave the executions of a job that nobody knows any more where they are, and run the others', async () => {
    await ledgerOf().jobs({ name: 'gone' });
    await insertNow(2, { jobName: 'gone', priority: -10 });
    const worker = await startWorker({ known: () => 'done' }, { concurrency: 1 });
    for (let n = 0; n < 3; n++) expect(await worker.run('known')).toMatchObject({ state: 'succeeded' });
    expect(await ledgerOf().sql('select phase, attempt, lease_token from work')).toEqual([
      { phase: 'ready', attempt: 0, lease_token: '0' },
      { phase: 'ready', attempt: 0, lease_token: '0' },
    ]);
  });
});

describe('Twenty processes that start at the same moment on an empty ledger', () => {
  const processes = new BareProcesses();
  afterEach(() => processes.killAll());
  it('write each definition once, and each of them starts', async () => {
    const jobs = ['second', 'points', 'slow', 'once'];
    // All of them have found an empty ledger before the first one may write.
    const gate = await ledgerOf().client();
    await gate.query('begin');
    await gate.query('lock table schedules in share mode');
    const starting = processes.startAll(20, { url: ledgerOf().url, jobs, scheduler: true, readyWithinMs: 90_000 });
    await eventually(async () => (await ledgerOf().lockWaits()) >= 20, {
      withinMs: 90_000,
      what: 'twenty processes at the gate',
    });
    await gate.query('commit');
    const started = await starting;
    expect(started.filter(({ isRunning }) => isRunning)).toHaveLength(20);
    expect(await ledgerOf().sql('select schedule_name, version from schedule_versions order by 1')).toEqual([
      { schedule_name: 'points', version: 1 },
      { schedule_name: 'second', version: 1 },
    ]);
    expect(await ledgerOf().sql('select name from jobs order by 1')).toEqual(
      ['once', 'points', 'second', 'slow'].map((name) => ({ name })),
    );
    expect(started.flatMap(({ messages }) => messages).filter(({ type }) => type.endsWith('.failed'))).toEqual([]);
  }, 120_000);
});
