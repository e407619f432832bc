import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseSchedule } from './schedule.js';

const iso = (date: Date | null): string => date?.toISOString().replace('.000Z', 'Z') ?? 'none';

describe('Schedule: the clock of the process', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  const CLOCKS = ['2018-10-22T00:00:00Z', '2018-10-28T00:30:00Z', '2026-03-29T00:59:00Z', '2031-06-15T12:00:00Z'];

  /** What is found with the clock at each of these moments. */
  const found = <T>(ask: () => T): readonly T[] =>
    CLOCKS.map((clock) => {
      vi.setSystemTime(new Date(clock));
      return ask();
    });

  it('does not change what is accepted, also beside a clock change of the zone', () => {
    const answers = found(() => {
      const schedule = parseSchedule('0 2 * * *', { timeZone: 'Europe/Copenhagen' });
      const after = new Date('2018-10-27T12:00:00Z');
      return schedule.occurrences({ after, limit: 2 }).map(({ scheduledFor, period }) => [iso(scheduledFor), period]);
    });
    for (const answer of answers) {
      expect(answer).toEqual([
        ['2018-10-28T00:00:00Z', '2018-10-28'],
        ['2018-10-29T01:00:00Z', '2018-10-29'],
      ]);
    }
  });

  it('does not change what is refused or warned of', () => {
    const refusals = found(() => {
      expect(() => parseSchedule('0 0 31 2 *', { timeZone: 'Europe/Copenhagen' })).toThrow('never fires');
      return parseSchedule('*/10 2 * 3 SUNL', { timeZone: 'Europe/Copenhagen' }).warnings;
    });
    expect(new Set(refusals.map((warnings) => warnings.join())).size).toBe(1);
  });

  it('does not decide what ? stands for', () => {
    const after = new Date('2026-01-30T12:00:00Z');
    const answers = found(() => iso(parseSchedule('0 0 ? * ?', { timeZone: 'UTC' }).next(after)));
    expect(answers).toEqual(CLOCKS.map(() => '2026-01-31T00:00:00Z'));
  });

  it('takes the offset of each run and not of the start: a process that lives through a change', () => {
    vi.setSystemTime(new Date('2025-03-08T12:00:00Z'));
    const schedule = parseSchedule('4 16 * * *', { timeZone: 'America/New_York' });
    const runs = [0, 1, 2].map(() => {
      const next = schedule.next(new Date())!;
      vi.setSystemTime(next);
      return iso(next);
    });
    expect(runs).toEqual(['2025-03-08T21:04:00Z', '2025-03-09T20:04:00Z', '2025-03-10T20:04:00Z']);
  });
});
