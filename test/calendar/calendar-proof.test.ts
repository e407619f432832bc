import { writeFileSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';
import { CalendarProof, type ProofOptions } from './calendar-proof.js';
import { NOTORIOUS_CHANGES } from './notorious-changes.js';
import { WallClock, type OffsetChange } from './wall-clock.js';

const SECONDS = 1_000;
/** On a busy machine. */
const WHOLE_TAKES_AT_MOST_MS = 6 * 3_600_000;
const DAY = 86_400;
/** `npm run test:calendar` asks about every change, and says how far it is. */
const IS_WHOLE = process.env['CALENDAR_PROOF'] === 'whole';
const REPORT = process.env['CALENDAR_REPORT'];
const FROM = Date.UTC(2000, 0, 1) / SECONDS;
const UNTIL = Date.UTC(2038, 0, 1) / SECONDS;
/** Every fifth zone and every tenth of its changes: 2 % of all. */
const SAMPLE = { zones: 5, changes: 10 };

/** The changes of a zone in the years 2000 to 2037 that are asked about. */
function chosenChanges(clock: WallClock, random: () => number): readonly OffsetChange[] {
  if (IS_WHOLE) return clock.changes(FROM, UNTIL, 1);
  return clock.changes(FROM, UNTIL, 6).filter(() => random() < 1 / SAMPLE.changes);
}

function prove(zones: readonly string[], options: ProofOptions): CalendarProof {
  const proof = new CalendarProof(options);
  for (const [index, timeZone] of zones.entries()) {
    const clock = new WallClock(timeZone);
    proof.proveZone(clock, chosenChanges(clock, options.random));
    if (!IS_WHOLE || index % 10 !== 9) continue;
    const { changes, checks, failures } = proof.totals;
    const place = `zone ${index + 1} of ${zones.length} (${timeZone})`;
    // not console.log: the lines of a thread that never pauses would come at its end
    writeSync(1, `${place}: ${changes} changes, ${checks} checks, ${failures} failures\n`);
  }
  return proof;
}

describe('Schedule beside readings of the wall clock', () => {
  const seed = testSeed();
  const random = seededRandom(seed);

  it(
    'agrees around the changes of all zones, or around a sample of them',
    () => {
      const all = Intl.supportedValuesOf('timeZone');
      const zones = IS_WHOLE ? all : all.filter(() => random() < 1 / SAMPLE.zones);
      const { totals, problems } = prove(zones, { random, share: IS_WHOLE ? 0.4 : 0.15, isThorough: IS_WHOLE });
      if (REPORT !== undefined) writeFileSync(REPORT, JSON.stringify({ ...totals, seed }));
      expect(problems, `TEST_SEED=${seed}`).toEqual([]);
      expect(totals.changes).toBeGreaterThan(IS_WHOLE ? 10_000 : 50);
    },
    WHOLE_TAKES_AT_MOST_MS,
  );

  it.each(NOTORIOUS_CHANGES)('agrees around what has spoilt other calendars: $timeZone at $at', ({ timeZone, at }) => {
    const proof = new CalendarProof({ random, share: 0.5, isThorough: true });
    const clock = new WallClock(timeZone);
    const second = Date.parse(at) / SECONDS;
    const changes = clock.changes(second - DAY, second + DAY, 2);
    expect(changes.map((change) => change.at)).toEqual([second]);
    proof.proveZone(clock, changes);
    expect(proof.problems, `TEST_SEED=${seed}`).toEqual([]);
    expect(proof.totals.checks).toBeGreaterThan(1_000);
  });
});
