import { describe, expect, it } from 'vitest';
import { scheduledJob } from '../../../../../test/support/engine.js';
import type { DueSchedule, SchedulePlan, ScheduleVersion } from '../ports/schedule-store.js';
import type { Suspension } from '../ports/suspension-store.js';
import { SchedulePlanner } from './schedule-plan.js';

const at = (time: string) => new Date(`2026-03-${time}Z`);
const version = (number: number, expression: string, parts: Partial<ScheduleVersion> = {}): ScheduleVersion => ({
  version: number,
  validFrom: at('01T00:00:00'),
  expression,
  timeZone: 'UTC',
  shape: { period: 'auto', periodOf: 'current', dst: { gap: 'next-valid', fold: 'first' }, disabled: false },
  ...parts,
});
const due = (cursorAt: Date, now: Date, ...versions: ScheduleVersion[]): DueSchedule => ({
  jobName: 'job',
  cursorAt,
  now,
  versions: versions as unknown as DueSchedule['versions'],
  suspensions: [],
});
const planner = (...parameters: Parameters<typeof scheduledJob>) => {
  const made = new SchedulePlanner([scheduledJob(...parameters)], expect.fail);
  return { plan: (schedule: DueSchedule): SchedulePlan => made.plan(schedule) ?? expect.fail('it is left to others') };
};

describe('SchedulePlanner', () => {
  it('makes one execution per occurrence between the cursor and now, with everything a later change must not alter', () => {
    const job = { queue: 'reports', priority: 5, retry: { maxAttempts: 2, deadline: '2h' }, lease: '10s' };
    const now = at('02T06:00:00.500');
    const plan = planner('0 6 * * *', job).plan(due(at('01T06:00:00'), now, version(1, '0 6 * * *')));
    expect(plan.executions).toEqual([
      {
        jobName: 'job',
        key: 'job:2026-03-02',
        period: '2026-03-02',
        interval: { start: at('01T06:00:00'), end: at('02T06:00:00') },
        scheduledFor: at('02T06:00:00'),
        runAt: now,
        queue: 'reports',
        priority: 5,
        payload: null,
        concurrencyKey: 'job:job',
        maxAttempts: 2,
        leaseMs: 10_000,
        deadlineMs: 7_200_000,
        trigger: 'schedule',
        actor: null,
        traceParent: null,
        skip: null,
      },
    ]);
    expect(plan).toMatchObject({ skippedRange: null, cursorAt: at('02T06:00:00'), nextAt: at('03T06:00:00') });
  });

  it('never makes one that is later than now, however early it is asked', () => {
    const plan = planner('0 6 * * *').plan(due(at('01T06:00:00'), at('02T05:59:59.999'), version(1, '0 6 * * *')));
    expect(plan).toEqual({
      executions: [],
      skippedRange: null,
      cursorAt: at('01T06:00:00'),
      nextAt: at('02T06:00:00'),
    });
  });

  it('goes by the stored versions, not by the expression of its own code', () => {
    const versions = [version(1, '0 * * * *'), version(2, '30 * * * *', { validFrom: at('02T03:10:00') })];
    const plan = planner('15 * * * *').plan(due(at('02T01:00:00'), at('02T04:45:00'), ...versions));
    expect(plan.executions.map(({ scheduledFor }) => scheduledFor)).toEqual([
      at('02T02:00:00'),
      at('02T03:00:00'),
      at('02T03:30:00'),
      at('02T04:30:00'),
    ]);
    expect(plan.nextAt).toEqual(at('02T05:30:00'));
  });

  it('takes the functions of a definition from the code', () => {
    const shape = { period: 'custom', periodOf: 'current', dst: {}, disabled: false, exclude: 'custom' };
    const period = (scheduledFor: Date) => `hour-${scheduledFor.getUTCHours()}`;
    const exclude = ({ scheduledFor }: { readonly scheduledFor: Date }) => scheduledFor.getUTCHours() === 2;
    const job = planner('0 * * * *', { period, exclude });
    const plan = job.plan(due(at('02T00:00:00'), at('02T02:00:00'), version(1, '0 * * * *', { shape })));
    expect(plan.executions.map(({ key, skip }) => [key, skip])).toEqual([
      ['job:hour-1', null],
      ['job:hour-2', 'excluded'],
    ]);
  });

  it('records what catch-up leaves out, and moves the cursor over it', () => {
    const job = planner('*/5 * * * *', { catchUp: { window: '1h' } });
    const plan = job.plan(due(at('01T00:00:00'), at('31T00:00:00'), version(1, '*/5 * * * *')));
    expect(plan.executions).toHaveLength(12);
    expect(plan.skippedRange).toEqual({
      from: at('01T00:05:00'),
      to: at('30T23:00:00'),
      count: 8_628,
      reason: 'catch-up',
      actor: null,
    });
    expect(plan.cursorAt).toEqual(at('31T00:00:00'));
  });

  it('is due at once again when more is due than one tick takes', () => {
    const job = planner('* * * * *', { catchUp: { window: '30d', limit: 5_000 } });
    const now = at('03T00:00:00');
    const plan = job.plan(due(at('01T00:00:00'), now, version(1, '* * * * *')));
    expect(plan.executions).toHaveLength(1_000);
    expect(plan.nextAt!.getTime()).toBeLessThanOrEqual(now.getTime());
  });

  it('holds the pace of catch-up over the whole stretch', () => {
    const job = planner('* * * * *', { catchUp: { window: '30d', limit: 5_000, maxPerMinute: 60 } });
    const now = at('03T00:00:00');
    const { executions } = job.plan(due(at('01T00:00:00'), now, version(1, '* * * * *')));
    expect(executions).toHaveLength(2_880);
    expect(executions.at(2_000)?.runAt).toEqual(new Date(now.getTime() + 2_000_000));
  });

  describe('of a disabled job', () => {
    const disabled = version(1, '0 * * * *').shape;
    const off = { shape: { ...disabled, disabled: true } };

    it('leaves everything out in one range and moves the cursor', () => {
      const plan = planner('0 * * * *').plan(due(at('01T00:00:00'), at('02T00:30:00'), version(1, '0 * * * *', off)));
      expect(plan).toEqual({
        executions: [],
        skippedRange: { from: at('01T01:00:00'), to: at('02T00:00:00'), count: 24, reason: 'disabled', actor: null },
        cursorAt: at('02T00:00:00'),
        nextAt: at('02T01:00:00'),
      });
    });

    it('records what was due before it was disabled first, and the rest in the next tick', () => {
      const versions = [version(1, '0 * * * *'), version(2, '0 * * * *', { ...off, validFrom: at('01T02:30:00') })];
      const first = planner('0 * * * *').plan(due(at('01T00:00:00'), at('01T05:10:00'), ...versions));
      expect(first.executions.map(({ scheduledFor }) => scheduledFor)).toEqual([at('01T01:00:00'), at('01T02:00:00')]);
      expect(first).toMatchObject({ cursorAt: at('01T02:00:00'), nextAt: at('01T03:00:00') });
      const second = planner('0 * * * *').plan(due(first.cursorAt, at('01T05:10:00'), ...versions));
      expect(second.skippedRange).toMatchObject({ from: at('01T03:00:00'), to: at('01T05:00:00'), count: 3 });
    });
  });

  describe('of a suspended job', () => {
    const suspended = (kind: Suspension['kind'], from: string, to: string | null, parts: Partial<Suspension> = {}) => ({
      kind,
      from: at(from),
      to: to === null ? null : at(to),
      catchUp: false,
      actor: kind === 'paused' ? 'anna' : null,
      reason: null,
      ...parts,
    });
    /** Every plan until nothing is due: what is executed, what is left out, and where the cursor stands. */
    const planAll = (schedule: DueSchedule, parameters: Parameters<typeof scheduledJob> = ['0 * * * *']) => {
      const executed: string[] = [];
      const leftOut: unknown[] = [];
      let { cursorAt } = schedule;
      for (let rounds = 0; rounds < 20; rounds++) {
        const plan = planner(...parameters).plan({ ...schedule, cursorAt });
        executed.push(...plan.executions.map(({ scheduledFor }) => clock(scheduledFor)));
        if (plan.skippedRange !== null) {
          const { from, to, count, reason, actor } = plan.skippedRange;
          leftOut.push([`${clock(from)} ${clock(to)}`, count, reason, actor]);
        }
        const isMoved = plan.cursorAt > cursorAt;
        ({ cursorAt } = plan);
        if (!isMoved) return { executed, leftOut, cursorAt: clock(cursorAt), nextAt: clock(plan.nextAt) };
      }
      throw new Error('the plans never end');
    };
    const clock = (date: Date | null) => date?.toISOString().slice(8, 16) ?? '';
    const hourly = version(1, '0 * * * *');

    it('leaves out what a pause of five hours held up, and names who paused it', () => {
      const suspensions = [suspended('paused', '01T10:30:00', '01T15:30:00')];
      expect(planAll({ ...due(at('01T09:00:00'), at('01T16:00:00'), hourly), suspensions })).toEqual({
        executed: ['01T10:00', '01T16:00'],
        leftOut: [['01T11:00 01T15:00', 5, 'paused', 'anna']],
        cursorAt: '01T16:00',
        nextAt: '01T17:00',
      });
    });

    it.each([
      ['all', ['01T11:00', '01T12:00', '01T13:00', '01T14:00', '01T15:00', '01T16:00'], []],
      ['latest', ['01T15:00', '01T16:00'], [['01T11:00 01T14:00', 4, 'paused', 'anna']]],
      ['none', ['01T16:00'], [['01T11:00 01T15:00', 5, 'paused', 'anna']]],
    ])('lets catch-up %s decide where that was asked for', (policy, executed, leftOut) => {
      const suspensions = [suspended('paused', '01T10:30:00', '01T15:30:00', { catchUp: true })];
      const schedule = { ...due(at('01T10:00:00'), at('01T16:00:00'), hourly), suspensions };
      expect(planAll(schedule, ['0 * * * *', { catchUp: { policy } }])).toMatchObject({ executed, leftOut });
    });

    it('takes the pause to include its end and not its beginning', () => {
      const suspensions = [suspended('paused', '01T11:00:00', '01T13:00:00')];
      expect(planAll({ ...due(at('01T10:00:00'), at('01T14:00:00'), hourly), suspensions })).toMatchObject({
        executed: ['01T11:00', '01T14:00'],
        leftOut: [['01T12:00 01T13:00', 2, 'paused', 'anna']],
      });
    });

    it.each(['paused', 'orphaned'] as const)('records nothing that comes after it was %s, as long as it is', (kind) => {
      const suspensions = [suspended(kind, '01T11:30:00', null)];
      expect(planAll({ ...due(at('01T10:00:00'), at('01T16:00:00'), hourly), suspensions })).toEqual({
        executed: ['01T11:00'],
        leftOut: [],
        cursorAt: '01T11:00',
        nextAt: '01T12:00',
      });
    });

    it('lets catch-up decide over the whole stretch in which nobody carried it', () => {
      const suspensions = [suspended('orphaned', '01T10:30:00', '03T10:30:00')];
      const schedule = { ...due(at('01T10:00:00'), at('03T12:00:00'), hourly), suspensions };
      expect(planAll(schedule, ['0 * * * *', { catchUp: { window: '4h' } }])).toMatchObject({
        executed: ['03T09:00', '03T10:00', '03T11:00', '03T12:00'],
        leftOut: [['01T11:00 03T08:00', 46, 'orphaned', null]],
      });
    });

    it('goes piecewise through a pause in which the definition changed', () => {
      const versions = [hourly, version(2, '15 * * * *', { validFrom: at('01T12:30:00') })];
      const suspensions = [suspended('paused', '01T10:30:00', '01T14:30:00')];
      expect(planAll({ ...due(at('01T09:00:00'), at('01T16:00:00'), ...versions), suspensions })).toMatchObject({
        executed: ['01T10:00', '01T15:15'],
        leftOut: [['01T11:00 01T14:15', 4, 'paused', 'anna']],
      });
    });

    it('lets the intervals touch across a pause and a change in it', () => {
      const versions = [hourly, version(2, '15 * * * *', { validFrom: at('01T12:30:00') })];
      const suspensions = [suspended('paused', '01T10:30:00', '01T12:20:00')];
      const schedule = { ...due(at('01T12:00:00'), at('01T14:15:00'), ...versions), suspensions };
      expect(
        planner('15 * * * *')
          .plan(schedule)
          .executions.map(({ interval }) => interval),
      ).toEqual([
        { start: at('01T12:00:00'), end: at('01T13:15:00') },
        { start: at('01T13:15:00'), end: at('01T14:15:00') },
      ]);
    });

    it('goes by the pause before the definition, and by the definition before orphanhood', () => {
      const off = { shape: { ...hourly.shape, disabled: true } };
      const versions = [hourly, version(2, '0 * * * *', { ...off, validFrom: at('01T12:30:00') })];
      const suspensions = [
        suspended('orphaned', '01T09:30:00', '01T16:30:00'),
        suspended('paused', '01T10:30:00', '01T14:30:00'),
        suspended('paused', '01T14:30:00', '01T15:30:00', { actor: 'bert' }),
      ];
      const schedule = { ...due(at('01T09:00:00'), at('01T18:00:00'), ...versions), suspensions };
      expect(planAll(schedule, ['0 * * * *', { catchUp: { policy: 'none' } }])).toMatchObject({
        executed: [],
        leftOut: [
          ['01T10:00 01T10:00', 1, 'orphaned', null],
          ['01T11:00 01T14:00', 4, 'paused', 'anna'],
          ['01T15:00 01T15:00', 1, 'paused', 'bert'],
          ['01T16:00 01T18:00', 3, 'disabled', null],
        ],
      });
    });

    it('stays disabled in a pause that catch-up decides about', () => {
      const versions = [
        hourly,
        version(2, '0 * * * *', { shape: { ...hourly.shape, disabled: true }, validFrom: at('01T11:30:00') }),
        version(3, '0 * * * *', { validFrom: at('01T13:30:00') }),
      ];
      const suspensions = [suspended('paused', '01T10:30:00', '01T14:30:00', { catchUp: true })];
      expect(planAll({ ...due(at('01T10:00:00'), at('01T15:00:00'), ...versions), suspensions })).toMatchObject({
        executed: ['01T11:00', '01T14:00', '01T15:00'],
        leftOut: [['01T12:00 01T13:00', 2, 'disabled', null]],
      });
    });

    it.each([
      ['latest', 1_000, ['01T15:00', '01T16:00']],
      ['all', 3, ['01T12:00', '01T14:00', '01T15:00', '01T16:00']],
    ])(
      'executes no more of an outage by %s than that says, however often it was paused in it',
      (policy, limit, executed) => {
        const suspensions = [
          suspended('paused', '01T10:30:00', '01T11:30:00'),
          suspended('paused', '01T12:30:00', '01T13:30:00'),
        ];
        const schedule = { ...due(at('01T09:00:00'), at('01T16:00:00'), hourly), suspensions };
        expect(planAll(schedule, ['0 * * * *', { catchUp: { policy, limit } }])).toMatchObject({ executed });
      },
    );

    it('plans nothing past the oldest of two that go on', () => {
      const suspensions = [
        suspended('orphaned', '01T10:30:00', null),
        suspended('paused', '01T12:30:00', '01T13:30:00'),
      ];
      expect(planAll({ ...due(at('01T10:00:00'), at('01T16:00:00'), hourly), suspensions })).toMatchObject({
        executed: [],
        leftOut: [],
        cursorAt: '01T10:00',
      });
    });
  });

  describe('whose versions need functions', () => {
    const { shape } = version(1, '0 * * * *');
    const byFunction = { shape: { ...shape, period: 'custom' } };
    const withExclude = { shape: { ...shape, exclude: 'custom' } };
    const period = (scheduledFor: Date) => `hour-${scheduledFor.getUTCHours()}`;
    const exclude = () => false;
    const isPlanned = (schedule: DueSchedule, ...parameters: Parameters<typeof scheduledJob>) =>
      new SchedulePlanner([scheduledJob(...parameters)], expect.fail).plan(schedule) !== null;
    const [cursorAt, now] = [at('02T00:00:00'), at('02T04:00:00')];
    const later = { validFrom: at('02T02:30:00') };

    it.each([
      ['that it lacks', version(2, '0 * * * *', { ...byFunction, ...later }), {}],
      ['that it lacks, for what is left out', version(2, '0 * * * *', { ...withExclude, ...later }), { period }],
    ])('is left to processes that have the functions: one %s', (_name, newest, options) => {
      expect(isPlanned(due(cursorAt, now, version(1, '0 * * * *'), newest), '0 * * * *', options)).toBe(false);
    });

    it('is left to others where only an older version needs one, and the newest is not its own', () => {
      const versions = [version(1, '0 * * * *', byFunction), version(2, '30 * * * *', later)];
      expect(isPlanned(due(cursorAt, now, ...versions), '0 * * * *')).toBe(false);
      expect(isPlanned(due(cursorAt, now, ...versions), '0 * * * *', { period })).toBe(true);
    });

    it('is planned by whoever carries the newest version, with what its code says of the others', () => {
      const versions = [version(1, '0 * * * *', byFunction), version(2, '30 * * * *', later)];
      const plan = planner('30 * * * *').plan(due(cursorAt, now, ...versions));
      expect(plan.executions.map(({ period: label }) => label)).toEqual([
        '2026-03-02T01:00+00:00',
        '2026-03-02T02:00+00:00',
        '2026-03-02T03:30+00:00',
      ]);
    });

    it('is planned without its own functions where no version needs them', () => {
      const options = { period, exclude: () => true };
      const plan = planner('0 * * * *', options).plan(due(cursorAt, at('02T01:00:00'), version(1, '0 * * * *')));
      expect(plan.executions).toMatchObject([{ period: '2026-03-02T01:00+00:00', skip: null }]);
      expect(isPlanned(due(cursorAt, now, version(1, '0 * * * *', withExclude)), '0 * * * *', { exclude })).toBe(true);
    });
  });

  it('stops with an error for a stored version that cannot be read here', () => {
    const unknown = version(1, '0 * * * *', { timeZone: 'Mars/Olympus' });
    expect(() => planner('0 * * * *').plan(due(at('01T00:00:00'), at('02T00:00:00'), unknown))).toThrow(
      /Mars\/Olympus/,
    );
  });
});
