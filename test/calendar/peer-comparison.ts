import { GRADES, judge, type Grade, type Judgement, type PeerCase } from './peer-judge.js';
import type { Peer } from './peers.js';

/** How a library did on all cases. */
export interface PeerResult {
  readonly name: string;
  readonly cases: number;
  readonly grades: Readonly<Record<Grade, number>>;
  /** Cases in which the way back is not the way forward; null = it cannot go back. */
  readonly differsBackward: number | null;
  /** A few cases of each grade but the first two, in words. */
  readonly examples: readonly string[];
}

const EXAMPLES = 3;
const ANSWERS_SHOWN = 4;

/** Asks a library about all cases. */
export function comparePeer(peer: Peer, cases: readonly PeerCase[]): PeerResult {
  const grades = Object.fromEntries(GRADES.map((grade) => [grade, 0])) as Record<Grade, number>;
  const examples: string[] = [];
  const backward: boolean[] = [];
  for (const asked of cases) {
    const judgement = judge(peer, asked);
    const { grade, differsBackward } = judgement;
    grades[grade] += 1;
    if (differsBackward !== null) backward.push(differsBackward);
    if (grades[grade] <= EXAMPLES && GRADES.indexOf(grade) > 1) examples.push(exampleText(asked, judgement));
  }
  return {
    name: peer.name,
    cases: cases.length,
    grades,
    differsBackward: backward.length === 0 ? null : backward.filter(Boolean).length,
    examples,
  };
}

function exampleText({ expression, timeZone, after, expected }: PeerCase, { grade, answers }: Judgement): string {
  const first = answers.findIndex((answer, index) => answer !== expected[index]);
  const from = Math.max(0, (first < 0 ? Math.min(answers.length, expected.length) : first) - 1);
  const shown = (instants: readonly number[]): string =>
    instants
      .slice(from, from + ANSWERS_SHOWN)
      .map(isoOf)
      .join(', ');
  const [given, right] = [shown(answers), shown(expected)].map((text) => (text === '' ? 'nothing' : text));
  return `${grade}: "${expression}" in ${timeZone} after ${isoOf(after)} gave ${given}; right is ${right}`;
}

/** One line of Markdown per library. */
export function resultTable(results: readonly PeerResult[], versionOf: (name: string) => string): string {
  const columns = ['library', 'cases', ...GRADES, 'back ≠ forth'];
  const rows = results.map(({ name, cases, grades, differsBackward }) => [
    `${name} ${versionOf(name)}`.trim(),
    cases,
    ...GRADES.map((grade) => grades[grade]),
    differsBackward ?? 'no way back',
  ]);
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const isoOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
