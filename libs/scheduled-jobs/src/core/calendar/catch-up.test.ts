import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  planCatchUp,
  type CatchUpPolicy,
  type PeriodPlan,
  type PlanInput,
  type PlannedOccurrence,
} from './catch-up.js';
import { parseSchedule, type Schedule } from './schedule.js';
import type { ScheduleDefinition } from './schedule-definition.js';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000] as const;
const ALL: CatchUpPolicy = { policy: 'all', windowMs: DAY, limit: 1_000, graceMs: MINUTE, maxPerMinute: null };
const NOW = new Date('2026-08-14T12:00:00Z');

const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const schedule = (cron: string, more: Partial<ScheduleDefinition> = {}): Schedule =>
  parseSchedule(cron, { timeZone: 'UTC', ...more });

/** Processor time of this process in milliseconds: a busy machine does not change it much. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

function plan(cron: string | Schedule, input: Partial<PlanInput> & { readonly cursorAt: Date }): PeriodPlan {
  const planned = typeof cron === 'string' ? schedule(cron) : cron;
  return planCatchUp({ schedule: planned, now: NOW, catchUp: ALL, batchSize: 10_000, ...input });
}

const times = (inserted: readonly PlannedOccurrence[]): string[] =>
  inserted.map(({ scheduledFor }) => scheduledFor.toISOString().slice(0, 19));

/** Whether something is due behind a cursor. */
function isDue({ schedule: planned, now }: Pick<PlanInput, 'schedule' | 'now'>, cursorAt: Date): boolean {
  const next = planned.next(cursorAt);
  return next !== null && next <= now;
}

/** Plans one after the other from the moved cursor, as ticks do. */
function planInBatches(input: PlanInput): {
  inserted: PlannedOccurrence[];
  ranges: PeriodPlan['skippedRange'][];
  cursorAt: Date;
} {
  const inserted: PlannedOccurrence[] = [];
  const ranges: PeriodPlan['skippedRange'][] = [];
  let { cursorAt } = input;
  for (let round = 0; round < 10_000; round++) {
    const part = planCatchUp({ ...input, cursorAt });
    expect(part.insert.length).toBeLessThanOrEqual(input.batchSize);
    inserted.push(...part.insert);
    if (part.skippedRange !== null) ranges.push(part.skippedRange);
    ({ cursorAt } = part);
    if (!isDue(input, cursorAt)) return { inserted, ranges, cursorAt };
  }
  throw new Error('the plans never end');
}

describe('planCatchUp', () => {
  it('inserts what is due on time and moves the cursor to it', () => {
    const result = plan('0 * * * *', { cursorAt: ago(HOUR) });
    expect(result).toMatchObject({
      insert: [{ scheduledFor: NOW, period: '2026-08-14T12:00+00:00', skip: null, runAt: NOW }],
      skippedRange: null,
      cursorAt: NOW,
    });
  });

  it('leaves the cursor where it is when nothing is due', () => {
    const cursorAt = new Date('2026-08-14T11:43:00Z');
    const result = plan('0 * * * *', { cursorAt, now: new Date('2026-08-14T11:59:59.999Z') });
    expect(result).toEqual({ insert: [], skippedRange: null, cursorAt });
  });

  it('does not treat a new schedule as missed since for ever', () => {
    const cursorAt = new Date('2026-08-14T10:17:00Z');
    expect(plan('0 * * * *', { cursorAt, now: cursorAt })).toMatchObject({ insert: [], skippedRange: null });
    expect(times(plan('0 * * * *', { cursorAt, now: new Date('2026-08-14T11:00:00Z') }).insert)).toEqual([
      '2026-08-14T11:00:00',
    ]);
  });

  it('waits for a cursor in the future', () => {
    const cursorAt = new Date('2026-08-20T00:00:00Z');
    expect(plan('0 * * * *', { cursorAt })).toEqual({ insert: [], skippedRange: null, cursorAt });
  });

  it('inserts the window of a cursor 30 days old and leaves out the rest in one range', () => {
    const result = plan('*/5 * * * *', { cursorAt: ago(30 * DAY), catchUp: { ...ALL, windowMs: HOUR } });
    expect(result.insert).toHaveLength(12);
    expect(times(result.insert).at(0)).toBe('2026-08-14T11:05:00');
    expect(times(result.insert).at(-1)).toBe('2026-08-14T12:00:00');
    expect(result.skippedRange).toEqual({
      from: new Date('2026-07-15T12:05:00Z'),
      to: new Date('2026-08-14T11:00:00Z'),
      count: 8_628,
    });
    expect(result.cursorAt).toEqual(NOW);
  });

  it.each([
    ['0 * * * *', 24],
    ['*/5 * * * *', 288],
  ])('catches up an outage of a day in order: %s', (cron, count) => {
    const all = plan(cron, { cursorAt: ago(DAY), catchUp: { ...ALL, windowMs: 2 * DAY } });
    expect(all.insert).toHaveLength(count);
    expect(times(all.insert)).toEqual(times(all.insert).toSorted());
    expect(all.skippedRange).toBeNull();

    const late = { now: new Date(NOW.getTime() + 2 * MINUTE), cursorAt: ago(DAY) };
    const latest = plan(cron, { ...late, catchUp: { ...ALL, policy: 'latest' } });
    expect(times(latest.insert)).toEqual(['2026-08-14T12:00:00']);
    expect(latest.skippedRange).toMatchObject({ count: count - 1 });
    const none = plan(cron, { ...late, catchUp: { ...ALL, policy: 'none' } });
    expect(none).toMatchObject({ insert: [], skippedRange: { count, to: NOW }, cursorAt: NOW });
  });

  it('leaves out three late occurrences under the policy none, then inserts the next one', () => {
    const catchUp = { ...ALL, policy: 'none' } as const;
    const missed = plan('0 * * * *', { cursorAt: ago(3 * HOUR), now: new Date(NOW.getTime() + 10 * MINUTE), catchUp });
    expect(missed).toMatchObject({ insert: [], skippedRange: { count: 3 }, cursorAt: NOW });
    const next = plan('0 * * * *', { cursorAt: missed.cursorAt, now: new Date('2026-08-14T13:00:00Z'), catchUp });
    expect(times(next.insert)).toEqual(['2026-08-14T13:00:00']);
    expect(next.skippedRange).toBeNull();
  });

  it('treats exactly the grace as on time, and the end of the window as outside', () => {
    const none = { ...ALL, policy: 'none' } as const;
    const afterGrace = (ms: number): number =>
      plan('0 * * * *', { cursorAt: ago(HOUR), now: new Date(NOW.getTime() + ms), catchUp: none }).insert.length;
    expect([afterGrace(MINUTE), afterGrace(MINUTE + 1)]).toEqual([1, 0]);
    const window = plan('0 * * * *', { cursorAt: ago(10 * HOUR), catchUp: { ...ALL, windowMs: 3 * HOUR } });
    expect(times(window.insert)).toEqual(['2026-08-14T10:00:00', '2026-08-14T11:00:00', '2026-08-14T12:00:00']);
  });

  it('keeps the newest of more late occurrences than the limit, beside those on time', () => {
    const result = plan('* * * * *', { cursorAt: ago(2 * HOUR), catchUp: { ...ALL, limit: 10, graceMs: 2 * MINUTE } });
    expect(times(result.insert).at(0)).toBe('2026-08-14T11:48:00');
    expect(result.insert).toHaveLength(13);
    expect(result.skippedRange).toMatchObject({ count: 107, to: new Date('2026-08-14T11:47:00Z') });
  });

  it('spaces late occurrences from now, and never holds back one that is on time', () => {
    const result = plan('0 * * * *', { cursorAt: ago(4 * HOUR), catchUp: { ...ALL, maxPerMinute: 4 } });
    expect(result.insert.map(({ runAt }) => runAt.getTime() - NOW.getTime())).toEqual([0, 15 * SECOND, 30 * SECOND, 0]);
    const uneven = plan('* * * * *', { cursorAt: ago(HOUR), catchUp: { ...ALL, maxPerMinute: 7 } });
    const lateRunAts = uneven.insert
      .filter(({ scheduledFor }) => scheduledFor < ago(MINUTE))
      .map(({ runAt }) => runAt.getTime());
    expect(lateRunAts.filter((runAt) => runAt < NOW.getTime() + MINUTE)).toHaveLength(7);
  });

  it('gives places to what runs only: excluded and missing times are recorded at once', () => {
    const planned = schedule('0 * * * *', { exclude: ({ scheduledFor }) => scheduledFor.getUTCHours() === 10 });
    const result = plan(planned, { cursorAt: ago(4 * HOUR), catchUp: { ...ALL, maxPerMinute: 1 } });
    expect(result.insert.map(({ skip, runAt }) => [skip, runAt.getTime() - NOW.getTime()])).toEqual([
      [null, 0],
      ['excluded', 0],
      [null, MINUTE],
      [null, 0],
    ]);
  });

  it('moves the cursor to the last of a batch', () => {
    const first = plan('* * * * *', { cursorAt: ago(HOUR), batchSize: 25 });
    expect(first.cursorAt).toEqual(ago(35 * MINUTE));
    expect(first.insert).toHaveLength(25);
  });

  it('plans one execution per period of an explicit form', () => {
    const result = plan(schedule('0 * * * *', { period: 'day' }), {
      cursorAt: ago(3 * DAY),
      catchUp: { ...ALL, windowMs: 9 * DAY },
    });
    expect(result.insert.map(({ period }) => period)).toEqual(['2026-08-12', '2026-08-13', '2026-08-14']);
    expect(result.cursorAt).toEqual(new Date('2026-08-14T00:00:00Z'));
  });

  it('plans a decade of minutes fast', () => {
    const started = cpuMs();
    for (const timeZone of ['UTC', 'Europe/Berlin']) {
      const planned = schedule('* * * * *', { timeZone });
      const cursorAt = new Date('2016-08-14T12:00:00Z');
      const result = plan(planned, { cursorAt, batchSize: 100 });
      expect(result.skippedRange!.count + 1_002).toBe(3_652 * 1_440);
      expect(result.insert).toHaveLength(100);
    }
    expect(cpuMs() - started).toBeLessThan(1_000);
  });

  it('plans up to the last occurrence that there is', () => {
    const end = new Date('9999-12-29T23:00:00Z');
    const result = plan('0 23 * * *', {
      cursorAt: new Date('9999-12-28T00:00:00Z'),
      now: end,
      catchUp: { ...ALL, windowMs: 9 * DAY },
    });
    expect(result.cursorAt).toEqual(end);
  });

  it('refuses dates that are none and batches out of range', () => {
    const never = new Date(Number.NaN);
    expect(() => plan('0 * * * *', { cursorAt: ago(HOUR), now: never })).toThrow(RangeError);
    expect(() => plan('0 * * * *', { cursorAt: ago(HOUR), batchSize: 0 })).toThrow(RangeError);
  });
});

describe('planCatchUp in parts', () => {
  const POLICY: fc.Arbitrary<CatchUpPolicy> = fc.record({
    policy: fc.constantFrom('none', 'latest', 'all'),
    windowMs: fc.integer({ min: 0, max: 2 * DAY }),
    limit: fc.integer({ min: 1, max: 60 }),
    graceMs: fc.integer({ min: 0, max: 20 * MINUTE }),
    maxPerMinute: fc.option(fc.integer({ min: 1, max: 90 })),
  });
  const SCHEDULES = [
    schedule('* * * * *'),
    schedule('*/7 * * * *', { timeZone: 'Asia/Kolkata' }),
    schedule('30 2 * * *', { timeZone: 'America/New_York', dst: { gap: 'skip' } }),
    schedule('15,45 1-3 * * *', { timeZone: 'Europe/Berlin', dst: { fold: 'both' } }),
    schedule('*/20 * * * *', { timeZone: 'America/St_Johns', period: 'day' }),
    schedule('0 * * * *', { period: (date) => `p${Math.floor(date.getTime() / (5 * HOUR))}` }),
    schedule('0 */3 * * *', { exclude: ({ scheduledFor }) => scheduledFor.getUTCHours() === 12 }),
  ];
  const STRETCH = fc.record({
    schedule: fc.constantFrom(...SCHEDULES),
    nowMs: fc.integer({ min: Date.parse('2026-03-07T00:00:00Z'), max: Date.parse('2026-11-03T00:00:00Z') }),
    ageMs: fc.integer({ min: 0, max: 3 * DAY }),
    catchUp: POLICY,
    batchSize: fc.integer({ min: 1, max: 40 }),
  });

  it('adds up to the plan without a bound', () => {
    const property = fc.property(STRETCH, ({ nowMs, ageMs, batchSize, ...rest }) => {
      // Each part paces its own occurrences.
      const catchUp = { ...rest.catchUp, maxPerMinute: null };
      const input = { ...rest, catchUp, now: new Date(nowMs), cursorAt: new Date(nowMs - ageMs) };
      const whole = planCatchUp({ ...input, batchSize: 10_000 });
      const parts = planInBatches({ ...input, batchSize });
      expect(isDue(input, whole.cursorAt)).toBe(false);
      expect(parts.inserted).toEqual(whole.insert);
      expect(parts.ranges).toEqual(whole.skippedRange === null ? [] : [whole.skippedRange]);
      expect(parts.cursorAt).toEqual(whole.cursorAt);
      const late = whole.insert.filter(({ scheduledFor }) => nowMs - scheduledFor.getTime() > rest.catchUp.graceMs);
      expect(late.length).toBeLessThanOrEqual(rest.catchUp.policy === 'all' ? rest.catchUp.limit : 1);
    });
    fc.assert(property, { seed: 20_260_814, numRuns: 300 });
  });

  it('accounts for each occurrence exactly once, whenever ticks come', () => {
    const property = fc.property(
      STRETCH,
      fc.array(fc.integer({ min: 0, max: 5 * HOUR }), { maxLength: 12 }),
      (stretch, waits) => {
        const { schedule: planned, catchUp, batchSize, nowMs, ageMs } = stretch;
        const start = new Date(nowMs - ageMs);
        let [cursorAt, now, recorded] = [start, new Date(nowMs), 0];
        const periods: string[] = [];
        for (const wait of [0, ...waits]) {
          now = new Date(now.getTime() + wait);
          const part = planCatchUp({ schedule: planned, cursorAt, now, catchUp, batchSize });
          const recordedInOrder = [part.skippedRange?.from, part.skippedRange?.to].filter((date) => date !== undefined);
          recordedInOrder.push(...part.insert.map(({ scheduledFor }) => scheduledFor));
          expect(recordedInOrder).toEqual(recordedInOrder.toSorted((a, b) => a.getTime() - b.getTime()));
          expect(recordedInOrder.every((date) => date > cursorAt && date <= part.cursorAt)).toBe(true);
          periods.push(...part.insert.map(({ period }) => period));
          recorded += part.insert.length + (part.skippedRange?.count ?? 0);
          expect(part.cursorAt >= cursorAt).toBe(true);
          cursorAt = part.cursorAt;
          expect(recorded).toBe(planned.count({ after: start, until: cursorAt }));
        }
        expect(new Set(periods).size).toBe(periods.length);
      },
    );
    fc.assert(property, { seed: 20_260_814, numRuns: 300 });
  });
});
