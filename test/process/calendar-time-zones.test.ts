import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const LIBRARY = new URL('../../libs/scheduled-jobs/dist/index.js', import.meta.url).href;
const CASES = fileURLToPath(new URL('../support/calendar-cases.json', import.meta.url));

/** Prints the process's own offset and every recorded case that comes out otherwise. */
const SCRIPT = `
  import { readFileSync } from 'node:fs';
  const { parseSchedule } = await import(${JSON.stringify(LIBRARY)});
  const cases = JSON.parse(readFileSync(${JSON.stringify(CASES)}, 'utf8'));
  const iso = (date) => date.toISOString().replace('.000Z', 'Z');
  const wrong = cases.filter(({ expression, timeZone, after, expected, dates }) => {
    const found = parseSchedule(expression, { timeZone }).occurrences({ after: new Date(after), limit: expected.length });
    const instants = found.map(({ scheduledFor }) => iso(scheduledFor));
    const labels = found.map(({ period }) => period.slice(0, 10));
    return instants.join() !== expected.join() || labels.join() !== dates.join();
  });
  console.log(JSON.stringify({ count: cases.length, wrong, offset: new Date('2026-01-01T00:00:00Z').getTimezoneOffset() }));
`;

describe('the calendar of the built package', () => {
  it.each([
    ['UTC', 0],
    ['America/New_York', 300],
    ['Asia/Kolkata', -330],
    ['Pacific/Apia', -780],
  ])('gives all recorded answers in a process with TZ=%s', async (timeZone, offset) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
      env: { ...process.env, TZ: timeZone },
    });
    expect(JSON.parse(stdout)).toEqual({ count: 93, wrong: [], offset });
  });
});
