import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../libs/scheduled-jobs/src/core/calendar/schedule.js';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';
import { readSchedule } from './oracle-schedule.js';
import { RandomExpressions } from './random-expressions.js';

const PAIRS = 1_500;
const FIRST_DAY = Date.UTC(2024, 0, 1) / 86_400_000;
/** Four years have every weekday on most dates, and a leap day. */
const DAYS = Array.from({ length: 1_461 }, (_, index) => FIRST_DAY + index);

const describeIn = (expression: string, timeZone = 'UTC'): string => parseSchedule(expression, { timeZone }).describe();

/** All that an expression chooses, read by the oracle. */
function meaningOf(expression: string): string {
  const { seconds, minutes, isChosenDay } = readSchedule(expression);
  return [seconds.join(), minutes.join(''), DAYS.map((day) => Number(isChosenDay(day))).join('')].join(' ');
}

describe('The description of a schedule', () => {
  const seed = testSeed();
  const random = seededRandom(seed);
  const expressions = new RandomExpressions(random);

  /** An expression and one that differs from it in a single field. */
  function neighbours(): readonly [string, string] {
    const [first, second] = [expressions.next(), expressions.next()].map((text) =>
      text.split(' ').length === 5 ? ['0', ...text.split(' ')] : text.split(' '),
    ) as [string[], string[]];
    const changed = Math.floor(random() * 6);
    return [first.join(' '), first.map((field, index) => (index === changed ? second[index] : field)).join(' ')];
  }

  it('differs when any field chooses something else', () => {
    const alike: string[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const [one, other] = neighbours();
      if (describeIn(one) !== describeIn(other) || meaningOf(one) === meaningOf(other)) continue;
      alike.push(`"${one}" and "${other}" both read: ${describeIn(one)}`);
    }
    expect(alike, `TEST_SEED=${seed}`).toEqual([]);
  }, 60_000);

  it('is the same each time, names the zone, and is one line', () => {
    for (let count = 0; count < 500; count += 1) {
      const expression = expressions.next();
      const text = describeIn(expression, 'Asia/Kolkata');
      expect(text).toBe(describeIn(expression, 'Asia/Kolkata'));
      expect(text).toMatch(/^[A-Z][^\n]+ \(Asia\/Kolkata\)$/);
      expect(text.replace('Asia/Kolkata', 'UTC')).toBe(describeIn(expression, 'UTC'));
      expect(text, expression).not.toMatch(/undefined|NaN|[*?#]/);
    }
  });

  it('is the same for a nickname and what it stands for', () => {
    expect(describeIn('@daily')).toBe(describeIn('0 0 * * *'));
    expect(describeIn('@hourly')).toBe(describeIn('0 * * * *'));
  });
});
