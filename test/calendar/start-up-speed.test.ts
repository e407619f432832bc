import { expect, it } from 'vitest';
import { parseSchedule } from '../../libs/scheduled-jobs/src/core/calendar/schedule.js';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';
import { RandomExpressions } from './random-expressions.js';

const SCHEDULES = 10_000;

/** Processor time that a call takes, in milliseconds. */
function cpuMsOf(call: () => void): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

it('reads 10,000 different schedules of all zones, and finds their next occurrences in less than a second', () => {
  const random = seededRandom(testSeed());
  const expressions = new RandomExpressions(random);
  const zones = Intl.supportedValuesOf('timeZone');
  const declared = new Map<string, { readonly expression: string; readonly timeZone: string }>();
  while (declared.size < SCHEDULES) {
    const job = { expression: expressions.next(), timeZone: zones[Math.floor(random() * zones.length)] ?? 'UTC' };
    declared.set(`${job.expression} ${job.timeZone}`, job);
  }
  // no warm-up: this is what a process does once, when it starts
  let schedules: readonly ReturnType<typeof parseSchedule>[] = [];
  const parseMs = cpuMsOf(() => {
    schedules = [...declared.values()].map(({ expression, timeZone }) => parseSchedule(expression, { timeZone }));
  });
  const now = new Date('2026-08-14T12:00:00Z');
  let found: readonly (Date | null)[] = [];
  const nextMs = cpuMsOf(() => {
    found = schedules.map((schedule) => schedule.next(now));
  });
  expect(found.filter((next) => next !== null && next > now)).toHaveLength(SCHEDULES);
  expect(nextMs).toBeLessThan(1_000);
  expect(parseMs).toBeLessThan(3_000);
}, 60_000);
