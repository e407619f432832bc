import type { Peer, PeerSchedule } from './peers.js';

/** A stretch of time with the runs that have to be in it. Milliseconds since 1970. */
export interface PeerCase {
  readonly expression: string;
  readonly timeZone: string;
  /** Exclusive. */
  readonly after: number;
  /** Inclusive. */
  readonly until: number;
  readonly expected: readonly number[];
  /** What other consistent policies for gaps and folds give. */
  readonly alternatives: () => readonly (readonly number[])[];
}

/** From the best to the worst. A case gets the first grade of these, from the end, that is true of it. */
export const GRADES = [
  'right',
  'other policy',
  'extra run',
  'missing run',
  'wrong instant',
  'backwards',
  'throws',
  'refused',
] as const;
export type Grade = (typeof GRADES)[number];

/** How a library did on a case. */
export interface Judgement {
  readonly grade: Grade;
  /** What it answered, in order. */
  readonly answers: readonly number[];
  /** Whether its way back differs from its way forward; null = it cannot go back, or never came forward. */
  readonly differsBackward: boolean | null;
}

/** So many answers more than there should be, and the library is not asked on. */
const MAX_EXTRA = 20;

/** Asks a library from each answer for the next one, then all the way back. */
export function judge(peer: Peer, asked: PeerCase): Judgement {
  let schedule: PeerSchedule;
  try {
    schedule = peer.read(asked.expression, asked.timeZone);
  } catch {
    return { grade: 'refused', answers: [], differsBackward: null };
  }
  const answers: number[] = [];
  const grade = walk(schedule, asked, answers) ?? gradeOf(answers, asked);
  const isForward = grade !== 'throws' && grade !== 'backwards';
  return { grade, answers, differsBackward: isForward ? differsBackward(schedule, asked, answers) : null };
}

/** Collects the answers; says what stopped it before the end. */
function walk({ next }: PeerSchedule, { after, until, expected }: PeerCase, answers: number[]): Grade | null {
  try {
    for (let from = after; answers.length <= expected.length + MAX_EXTRA;) {
      const answer = next(new Date(from))?.getTime() ?? Number.POSITIVE_INFINITY;
      if (!(answer > from)) return 'backwards';
      if (answer > until) return null;
      answers.push(answer);
      if (answer === until) return null;
      from = answer;
    }
    return null;
  } catch {
    return 'throws';
  }
}

function gradeOf(answers: readonly number[], { expected, alternatives }: PeerCase): Grade {
  if (isSame(answers, expected)) return 'right';
  if (alternatives().some((alternative) => isSame(answers, alternative))) return 'other policy';
  const isMissing = expected.some((instant) => !answers.includes(instant));
  const isExtra = answers.some((instant) => !expected.includes(instant));
  if (isMissing && isExtra) return 'wrong instant';
  return isMissing ? 'missing run' : 'extra run';
}

function differsBackward(
  { previous }: PeerSchedule,
  { after, until }: PeerCase,
  answers: readonly number[],
): boolean | null {
  if (previous === null) return null;
  const backward: number[] = [];
  try {
    for (let from = until + 1; backward.length <= answers.length;) {
      const answer = previous(new Date(from))?.getTime() ?? Number.NEGATIVE_INFINITY;
      if (!(answer < from)) return true;
      if (answer <= after) break;
      backward.push(answer);
      from = answer;
    }
  } catch {
    return true;
  }
  return !isSame(backward.toReversed(), answers);
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((instant, index) => instant === b[index]);
