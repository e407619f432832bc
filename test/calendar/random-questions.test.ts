import { describe, expect, it } from 'vitest';
import { parseSchedule, type Schedule } from '../../libs/scheduled-jobs/src/core/calendar/schedule.js';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';
import { RandomExpressions } from './random-expressions.js';

const QUESTIONS = 20_000;
const CHAIN = 3;
const FROM_MS = Date.UTC(2005, 0, 1);
const UNTIL_MS = Date.UTC(2036, 0, 1);
const MINUTE_MS = 60_000;

/** Processor time of this process in milliseconds: a busy machine does not change it much. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

describe('Schedule: 20,000 random expressions, zones and moments', () => {
  const seed = testSeed();
  const random = seededRandom(seed);
  const expressions = new RandomExpressions(random);
  const zones = Intl.supportedValuesOf('timeZone');
  const instantBetween = (from: number, until: number): Date => new Date(from + Math.floor(random() * (until - from)));

  const durations: number[] = [];
  const timed = <T>(call: () => T): T => {
    const started = cpuMs();
    const answer = call();
    durations.push(cpuMs() - started);
    return answer;
  };

  /** What is wrong with the answers of a schedule about the time after `base`. */
  function faultsOf(schedule: Schedule, base: Date): readonly string[] {
    const chain = [base];
    const faults: string[] = [];
    const expectSame = (what: string, found: Date | null, expected: Date): void => {
      if (found?.getTime() !== expected.getTime())
        faults.push(`${what} is ${found?.toISOString()}, not ${expected.toISOString()}`);
    };
    while (chain.length <= CHAIN) {
      const from = chain.at(-1) as Date;
      const next = timed(() => schedule.next(from));
      if (next === null && schedule.warnings.some((warning) => warning.includes('never fires'))) return faults;
      if (next === null || next <= from) return [`next after ${from.toISOString()} is ${next?.toISOString()}`];
      expectSame('next from between', schedule.next(instantBetween(from.getTime(), next.getTime())), next);
      expectSame('previous just after', schedule.previous(new Date(next.getTime() + 1)), next);
      if (chain.length > 1)
        expectSame(
          'previous',
          timed(() => schedule.previous(next)),
          from,
        );
      if (!schedule.matches(next)) faults.push(`${next.toISOString()} does not match`);
      chain.push(next);
    }
    const [first, last] = [chain[1] as Date, chain.at(-1) as Date];
    const before = schedule.previous(first);
    if (before !== null && before > base) faults.push(`an occurrence at ${before.toISOString()} is passed over`);
    const listed = schedule.occurrences({ after: base, limit: CHAIN }).map(({ scheduledFor }) => +scheduledFor);
    if (listed.join() !== chain.slice(1).map(Number).join()) faults.push('next and occurrences differ');
    if (schedule.count({ after: base, until: last }) !== CHAIN) faults.push('count and next differ');
    return faults;
  }

  it('goes strictly forward, says the same from wherever it is asked, and goes back the same way', () => {
    const faults: string[] = [];
    for (let question = 0; question < QUESTIONS && faults.length < 10; question += 1) {
      const timeZone = zones[Math.floor(random() * zones.length)] ?? 'UTC';
      const expression = expressions.next();
      const dst = { gap: random() < 0.5 ? 'next-valid' : 'skip', fold: random() < 0.5 ? 'first' : 'last' } as const;
      const base = instantBetween(FROM_MS, UNTIL_MS);
      const found = faultsOf(parseSchedule(expression, { timeZone, dst }), base);
      const where = `"${expression}" in ${timeZone} (${dst.gap}, ${dst.fold}) from ${base.toISOString()}`;
      faults.push(...found.map((fault) => `${where}: ${fault}`));
    }
    expect(faults, `TEST_SEED=${seed}`).toEqual([]);
  }, 60_000);

  it('answers 99 of 100 calls in less than 5 ms', () => {
    const sorted = durations.toSorted((a, b) => a - b);
    expect(sorted.length).toBeGreaterThan(QUESTIONS * CHAIN);
    expect(sorted[Math.floor(sorted.length * 0.99)]).toBeLessThan(5);
  });

  it('matches no minute between an occurrence and the next one', () => {
    const wrong: string[] = [];
    for (let question = 0; question < 200; question += 1) {
      const timeZone = zones[Math.floor(random() * zones.length)] ?? 'UTC';
      const schedule = parseSchedule(expressions.next(), { timeZone });
      const base = instantBetween(FROM_MS, UNTIL_MS);
      const next = schedule.next(base)?.getTime() ?? 0;
      const firstMinute = Math.ceil((base.getTime() + 1) / MINUTE_MS) * MINUTE_MS;
      for (let at = firstMinute; at < Math.min(next, firstMinute + 1_440 * MINUTE_MS); at += MINUTE_MS) {
        if (schedule.matches(new Date(at)))
          wrong.push(`"${schedule.expression}" in ${timeZone} at ${new Date(at).toISOString()}`);
      }
    }
    expect(wrong, `TEST_SEED=${seed}`).toEqual([]);
  });
});
