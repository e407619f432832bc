import { expect, it } from 'vitest';
import { judge, type PeerCase } from './peer-judge.js';
import type { PeerSchedule } from './peers.js';

const EVERY_TEN: PeerCase = {
  expression: '* * * * *',
  timeZone: 'UTC',
  after: 0,
  until: 35,
  expected: [10, 20, 30],
  alternatives: () => [[10, 30]],
};

const dateOf = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(ms));

/** Gives these runs in both directions. */
const running = (...runs: readonly number[]): PeerSchedule => ({
  next: (after) => dateOf(runs.find((run) => run > after.getTime())),
  previous: (before) => dateOf(runs.findLast((run) => run < before.getTime())),
});

const fail = (): never => {
  throw new Error('no');
};

it.each([
  ['right', running(10, 20, 30, 40)],
  ['other policy', running(10, 30)],
  ['extra run', running(10, 15, 20, 30)],
  ['missing run', running(20, 30)],
  ['wrong instant', running(10, 21, 30)],
  ['backwards', { next: () => new Date(5), previous: null }],
  ['throws', { next: fail, previous: null }],
] satisfies readonly (readonly [string, PeerSchedule])[])('grades a library as %s', (grade, schedule) => {
  expect(judge({ name: 'peer', read: () => schedule }, EVERY_TEN).grade).toBe(grade);
});

it('tells a refusal from a wrong answer', () => {
  expect(judge({ name: 'peer', read: fail }, EVERY_TEN)).toEqual({
    grade: 'refused',
    answers: [],
    differsBackward: null,
  });
});

it('sees when the way back is another one', () => {
  const differs = (previous: PeerSchedule['previous']): boolean | null =>
    judge({ name: 'peer', read: () => ({ next: running(10, 20, 30).next, previous }) }, EVERY_TEN).differsBackward;
  expect(differs(running(10, 20, 30).previous)).toBe(false);
  expect(differs(running(0, 10, 20, 30).previous)).toBe(false);
  expect(differs(running(10, 30).previous)).toBe(true);
  expect(differs((before) => before)).toBe(true);
  expect(differs(fail)).toBe(true);
  expect(differs(null)).toBeNull();
});
