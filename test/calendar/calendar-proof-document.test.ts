import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../libs/scheduled-jobs/src/core/calendar/schedule.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const text = read('docs/guides/calendar-proof.md');
const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Record<string, string> };

/** The rows of the table that begins with a column. */
const rowsOf = (column: string): readonly (readonly string[])[] => {
  const table = text.slice(text.indexOf(`| ${column} `)).split('\n\n')[0] ?? '';
  return table
    .trim()
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
};

describe('docs/guides/calendar-proof.md', () => {
  it.each(['croner', 'cron-parser', 'cron'])('names the version of %s that is compared', (name) => {
    expect(rowsOf('library').flatMap(([library]) => library)).toContain(`${name} ${devDependencies[name]}`);
  });

  it('says nothing but the right instants of its examples', () => {
    const examples = rowsOf('schedule');
    expect(examples).toHaveLength(3);
    for (const [schedule = '', after = '', right = ''] of examples) {
      const [, expression = '', timeZone = ''] = /^(.+) in (\S+)$/.exec(schedule) ?? [];
      const expected = right.split(', ');
      const found = parseSchedule(expression, { timeZone }).occurrences({
        after: new Date(after),
        limit: expected.length,
      });
      expect(found.map(({ scheduledFor }) => scheduledFor.toISOString().replace(':00.000Z', 'Z'))).toEqual(expected);
    }
  });
});
