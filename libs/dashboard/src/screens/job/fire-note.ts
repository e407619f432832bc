import type { ScheduleDetail } from '../../api/answers.js';

export type Fire = ScheduleDetail['upcoming'][number];

const SKIPS: Readonly<Record<NonNullable<Fire['skip']>, string>> = {
  'dst-gap': 'Left out: this hour is missing',
  excluded: 'Left out: excluded',
};

const MARKS: Readonly<Record<Fire['marks'][number], string>> = {
  'clocks-changed': 'clocks have changed since the fire before',
  'moved-by-gap': 'moved: its hour is missing',
  'first-pass': 'this hour comes twice: the first',
  'second-pass': 'this hour comes twice: the second',
};

/** What is special about a fire; empty = nothing. */
export function fireNote({ skip, marks }: Pick<Fire, 'skip' | 'marks'>): string {
  const notes = [...(skip === null ? [] : [SKIPS[skip]]), ...marks.map((mark) => MARKS[mark])];
  const text = notes.join('; ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
