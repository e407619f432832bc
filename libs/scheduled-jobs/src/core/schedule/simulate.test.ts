import { describe, expect, it } from 'vitest';
import { InvalidOptionsError } from '../errors.js';
import { simulate } from './simulate.js';

const at = (time: string): Date => new Date(`2026-08-${time}Z`);
const JOB = { name: 'job', cron: '0 * * * *', timeZone: 'UTC' };
const periodsOf = (simulation: ReturnType<typeof simulate>) => simulation.executions.map(({ period }) => period);

describe('simulate', () => {
  it('makes each period at its time while a scheduler is there', () => {
    const { executions, skippedRanges, cursorAt } = simulate(JOB, { from: at('14T10:17:00'), to: at('14T13:00:00') });
    expect(executions.map(({ key }) => key)).toEqual(
      ['11:00', '12:00', '13:00'].map((time) => `job:2026-08-14T${time}+00:00`),
    );
    for (const { insertedAt, runAt, scheduledFor } of executions) {
      expect([insertedAt, runAt]).toEqual([scheduledFor, scheduledFor]);
    }
    expect(skippedRanges).toEqual([]);
    expect(cursorAt).toEqual(at('14T13:00:00'));
  });

  it('catches up when an outage is over', () => {
    const outages = [{ from: at('14T10:30:00'), to: at('14T13:15:00') }];
    const { executions } = simulate(JOB, { from: at('14T10:17:00'), to: at('14T14:00:00'), outages });
    expect(executions.map(({ insertedAt }) => insertedAt)).toEqual([
      ...Array.from({ length: 3 }, () => at('14T13:15:00')),
      at('14T14:00:00'),
    ]);
  });

  it.each([
    ['none', ['2026-08-14T14:00+00:00'], 3],
    ['latest', ['2026-08-14T13:00+00:00', '2026-08-14T14:00+00:00'], 2],
  ] as const)('leaves out what the policy %s leaves out', (policy, periods, count) => {
    const outages = [{ from: at('14T10:30:00'), to: at('14T13:15:00') }];
    const range = { from: at('14T10:17:00'), to: at('14T14:00:00'), outages };
    const simulation = simulate({ ...JOB, catchUp: { policy } }, range);
    expect(periodsOf(simulation)).toEqual(periods);
    expect(simulation.skippedRanges).toMatchObject([
      { from: at('14T11:00:00'), count, reason: 'catch-up', actor: null },
    ]);
  });

  it('takes outages that follow one another as one', () => {
    const outages = [
      { from: at('14T12:00:00'), to: at('14T13:30:00') },
      { from: at('14T10:30:00'), to: at('14T12:00:00') },
    ];
    const { executions } = simulate(JOB, { from: at('14T10:17:00'), to: at('14T14:00:00'), outages });
    expect(executions[0]?.insertedAt).toEqual(at('14T13:30:00'));
  });

  it('records the periods of a disabled job as left out, in one range', () => {
    const simulation = simulate({ ...JOB, disabled: true }, { from: at('14T10:17:00'), to: at('14T12:00:00') });
    expect(simulation.executions).toEqual([]);
    expect(simulation.skippedRanges).toEqual([
      { from: at('14T11:00:00'), to: at('14T12:00:00'), count: 2, reason: 'disabled', actor: null },
    ]);
  });

  it('refuses what is no part of a range', () => {
    const range = { from: at('14T00:00:00'), to: at('15T00:00:00') };
    expect(() => simulate(JOB, { ...range, outage: [range] } as never)).toThrow(
      'range.outage is not an option. Did you mean "outages"?',
    );
    expect(() => simulate(JOB, { ...range, outages: range } as never)).toThrow('range.outages must be a list');
    expect(() => simulate(JOB, { ...range, outages: [null] } as never)).toThrow('an outage must end');
    expect(() => simulate(JOB, { from: '2026-08-14', to: range.to } as never)).toThrow('the range must end');
  });

  it('refuses ranges that go backwards, bad options, and more occurrences than anybody reads', () => {
    const range = { from: at('14T00:00:00'), to: at('15T00:00:00') };
    expect(() => simulate(JOB, { from: range.to, to: range.from })).toThrow(InvalidOptionsError);
    expect(() => simulate(JOB, { ...range, outages: [{ from: range.to, to: range.from }] })).toThrow(
      /an outage must end/,
    );
    expect(() => simulate({ ...JOB, cron: '61 * * * *' }, range)).toThrow(InvalidOptionsError);
    expect(() => simulate({ ...JOB, cron: '* * * * * *' }, { ...range, to: at('16T12:00:00') })).toThrow(
      /216000 occurrences, more than 10000/,
    );
  });
});
