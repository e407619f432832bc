import { describe, expect, it } from 'vitest';
import { scheduledJob } from '../../../../../test/support/engine.js';
import type { DueSchedule, ScheduleVersion } from '../ports/schedule-store.js';
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
const planner = (...parameters: Parameters<typeof scheduledJob>) =>
  new SchedulePlanner([scheduledJob(...parameters)], expect.fail);

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
        skip: null,
      },
    ]);
    expect(plan).toMatchObject({ skippedRanges: [], cursorAt: at('02T06:00:00'), nextAt: at('03T06:00:00') });
  });

  it('never makes one that is later than now, however early it is asked', () => {
    const plan = planner('0 6 * * *').plan(due(at('01T06:00:00'), at('02T05:59:59.999'), version(1, '0 6 * * *')));
    expect(plan).toEqual({ executions: [], skippedRanges: [], cursorAt: at('01T06:00:00'), nextAt: at('02T06:00:00') });
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
    const shape = { period: 'custom', periodOf: 'current', dst: {}, disabled: false };
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
    expect(plan.skippedRanges).toEqual([
      { from: at('01T00:05:00'), to: at('30T23:00:00'), count: 8_628, reason: 'catch-up', actor: null },
    ]);
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
        skippedRanges: [{ from: at('01T01:00:00'), to: at('02T00:00:00'), count: 24, reason: 'disabled', actor: null }],
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
      expect(second.skippedRanges).toMatchObject([{ from: at('01T03:00:00'), to: at('01T05:00:00'), count: 3 }]);
    });
  });

  it('stops with an error for a stored version that cannot be read here', () => {
    const unknown = version(1, '0 * * * *', { timeZone: 'Mars/Olympus' });
    expect(() => planner('0 * * * *').plan(due(at('01T00:00:00'), at('02T00:00:00'), unknown))).toThrow(
      /Mars\/Olympus/,
    );
  });
});
