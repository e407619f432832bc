import { describe, expect, it } from 'vitest';
import { ambiguousTimes } from './ambiguous-times.js';
import { parseSchedule } from './schedule.js';
import { resolveScheduleDefinition, type ScheduleDefinition } from './schedule-definition.js';

const TWO_YEARS = { after: new Date('2026-08-01T00:00Z'), until: new Date('2028-08-01T00:00Z') };

function found(cron: string, definition: ScheduleDefinition, range = TWO_YEARS) {
  const { dst } = resolveScheduleDefinition(definition, []);
  return ambiguousTimes(parseSchedule(cron, definition), dst, range);
}

const berlin = { timeZone: 'Europe/Berlin' };

describe('ambiguousTimes', () => {
  it('finds a daily time in each gap and fold, with the date, the clocks and when it runs', () => {
    expect(found('30 2 * * *', berlin)).toEqual([
      {
        kind: 'fold',
        changesAt: new Date('2026-10-25T01:00Z'),
        clocks: { from: '03:00', to: '02:00' },
        date: '2026-10-25',
        times: ['02:30'],
        timesCount: 1,
        runsAt: ['02:30+02:00'],
      },
      {
        kind: 'gap',
        changesAt: new Date('2027-03-28T01:00Z'),
        clocks: { from: '02:00', to: '03:00' },
        date: '2027-03-28',
        times: ['02:30'],
        timesCount: 1,
        runsAt: ['03:00+02:00'],
      },
      expect.objectContaining({ kind: 'fold', date: '2027-10-31' }),
      expect.objectContaining({ kind: 'gap', date: '2028-03-26' }),
    ]);
  });

  it('follows the policy of the schedule', () => {
    const runs = (dst: ScheduleDefinition['dst']) =>
      found('30 2 * * *', { ...berlin, ...(dst === undefined ? {} : { dst }) })
        .slice(0, 2)
        .map(({ runsAt }) => runsAt);
    expect(runs({ gap: 'skip', fold: 'last' })).toEqual([['02:30+01:00'], []]);
    expect(runs({ fold: 'both' })).toEqual([['02:30+02:00', '02:30+01:00'], ['03:00+02:00']]);
  });

  it('counts many times and shows the first three', () => {
    const [fold, gap] = found('0,10,20,30,40,50 1-3 * * *', berlin);
    expect(fold).toMatchObject({ times: ['02:00', '02:10', '02:20'], timesCount: 6, runsAt: ['02:00+02:00'] });
    expect(gap).toMatchObject({ times: ['02:00', '02:10', '02:20'], timesCount: 6, runsAt: ['03:00+02:00'] });
  });

  it('finds a date that meets a change only in the second year', () => {
    expect(found('30 2 26 3 *', berlin)).toMatchObject([{ kind: 'gap', date: '2028-03-26' }]);
  });

  it('knows gaps at midnight, and shows seconds where a time has some', () => {
    expect(found('0 0 * * *', { timeZone: 'America/Santiago' })).toMatchObject([
      { kind: 'gap', date: '2026-09-06', times: ['00:00'], runsAt: ['01:00-03:00'] },
      { kind: 'gap', date: '2027-09-05' },
    ]);
    expect(found('15 30 2 * * *', berlin)[0]).toMatchObject({ times: ['02:30:15'], runsAt: ['02:30:15+02:00'] });
  });

  it.each([
    ['times outside of the changes', '30 4 * * *', berlin],
    ['a schedule that follows the real clock', '*/30 * * * *', berlin],
    ['a zone without changes', '30 2 * * *', { timeZone: 'Asia/Shanghai' }],
    ['other dates', '30 2 1 * *', berlin],
    ['a time that its period leaves to an earlier one', '30 1,2 * * *', { ...berlin, period: 'day' as const }],
    ['what is excluded', '30 2 * * *', { ...berlin, exclude: () => true }],
  ])('finds nothing for %s', (_, cron, definition) => {
    expect(found(cron, definition)).toEqual([]);
  });
});
