import { describe, expect, it } from 'vitest';
import { cronWarnings, readCronExpression, type CronExpressionFields } from './cron-expression.js';

/** Processor time of this process in milliseconds: a busy machine does not change it much. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

function read(expression: string): CronExpressionFields {
  const problems: string[] = [];
  const fields = readCronExpression(expression, problems);
  expect(problems).toEqual([]);
  return fields!;
}

function problemsOf(expression: unknown): readonly string[] {
  const problems: string[] = [];
  expect(readCronExpression(expression, problems)).toBeNull();
  return problems;
}

const numbers = (first: number, last: number, step = 1): number[] =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);

describe('readCronExpression', () => {
  it('reads five fields with second 0, or six with the second first', () => {
    expect(read('5 6 * * *')).toMatchObject({ seconds: [0], minutes: [5], hours: [6] });
    expect(read('4 5 6 * * *')).toMatchObject({ seconds: [4], minutes: [5], hours: [6] });
    expect(read('* * * * * *').seconds).toEqual(numbers(0, 59));
  });

  it('takes leading zeros and runs of blanks and tabs', () => {
    expect(read(' \t05   06\t*  * * ')).toMatchObject({ minutes: [5], hours: [6] });
    expect(read('*/05 * * * *').minutes).toEqual(numbers(0, 55, 5));
  });

  it.each([
    ['1,3,2,1', [1, 2, 3]],
    ['10-14', [10, 11, 12, 13, 14]],
    ['10-20/5', [10, 15, 20]],
    ['5/15', [5, 20, 35, 50]],
    ['*/40', [0, 40]],
    ['*/60', [0]],
    ['0/60', [0]],
    ['1-3,50/5,30', [1, 2, 3, 30, 50, 55]],
  ])('reads the minutes %s', (text, minutes) => {
    expect(read(`${text} * * * *`).minutes).toEqual(minutes);
  });

  it.each([
    ['JAN,jul', [1, 7]],
    ['Oct-dec', [10, 11, 12]],
    ['feb/5', [2, 7, 12]],
    ['*/12', [1]],
  ])('reads the months %s', (text, months) => {
    expect(read(`0 0 1 ${text} *`).days.months).toEqual(months);
  });

  it.each([
    ['7', [0]],
    ['Sun', [0]],
    ['5-7', [0, 5, 6]],
    ['FRI-SUN', [0, 5, 6]],
    ['5-0', [0, 5, 6]],
    ['0-7', numbers(0, 6)],
    ['MON-SUN', numbers(0, 6)],
    ['sun-tue', [0, 1, 2]],
    ['0-0', [0]],
    ['7-7', [0]],
    ['1-7/2', [0, 1, 3, 5]],
    ['1/2', [1, 3, 5]],
    ['*/7', [0]],
    ['*/3', [0, 3, 6]],
  ])('reads the weekdays %s', (text, weekdays) => {
    expect(read(`0 0 * * ${text}`).days.daysOfWeek).toMatchObject({ isRestricted: true, weekdays });
  });

  it('reads L, LW and nW in the day-of-month field, also in lists', () => {
    expect(read('0 0 1,L,LW,15W *  *').days.daysOfMonth).toEqual({
      isRestricted: true,
      days: [1],
      includesLast: true,
      includesLastWorkday: true,
      nearestWorkdayTo: [15],
    });
  });

  it('reads n#k and nL in the day-of-week field, with numbers and names, also in lists', () => {
    expect(read('0 0 * * 1#2,fri#5,7#1,5L,satL,3').days.daysOfWeek).toEqual({
      isRestricted: true,
      weekdays: [3],
      nth: [
        { weekday: 1, ordinal: 2 },
        { weekday: 5, ordinal: 5 },
        { weekday: 0, ordinal: 1 },
      ],
      last: [5, 6],
    });
  });

  it('takes ? as * in the two day fields; anything but * and ? alone restricts a day field', () => {
    expect(read('0 0 ? * ?').days).toEqual(read('0 0 * * *').days);
    expect(read('0 0 ? * ?').days.daysOfMonth.isRestricted).toBe(false);
    expect(read('0 0 */1 * */1').days.daysOfMonth.isRestricted).toBe(true);
    expect(read('0 0 */1 * */1').days.daysOfWeek.isRestricted).toBe(true);
  });

  it.each([
    ['@yearly', '0 0 1 1 *'],
    ['@annually', '0 0 1 1 *'],
    ['@monthly', '0 0 1 * *'],
    ['@weekly', '0 0 * * 0'],
    ['@daily', '0 0 * * *'],
    ['@midnight', '0 0 * * *'],
    ['@hourly', '0 * * * *'],
  ])('reads %s as %s', (nickname, expression) => {
    expect(read(nickname)).toEqual(read(expression));
  });

  it.each([
    ['0 6 * * *', true],
    ['0,30 6-8 * * *', true],
    ['15 0,30 6-8 * * *', true],
    ['@daily', true],
    ['* 6 * * *', false],
    ['0 * * * *', false],
    ['0 6/2 * * *', false],
    ['*/15 2 * * *', false],
    ['* 0 6 * * *', false],
    ['@hourly', false],
  ])('%s names its times: %s', (expression, namesItsTimes) => {
    expect(read(expression).namesItsTimes).toBe(namesItsTimes);
  });

  it.each([
    ['60 * * * *', 'minute field "60" has 60. Use 0 to 59'],
    ['77 * * * *', 'minute field "77" has 77. Use 0 to 59'],
    ['* 24 * * *', 'hour field "24" has 24. Use 0 to 23'],
    ['* * 0 * *', 'day-of-month field "0" has 0. Use 1 to 31'],
    ['* * 32 * *', 'day-of-month field "32" has 32. Use 1 to 31'],
    ['* * 0W * *', 'day-of-month field "0W" has 0. Use 1 to 31'],
    ['* * * 0 *', 'month field "0" has 0. Use 1 to 12'],
    ['* * * 13 *', 'month field "13" has 13. Use 1 to 12'],
    ['* * * * 8', 'day-of-week field "8" has 8. Use 0 to 7'],
    ['* * * * 8L', 'day-of-week field "8L" has 8. Use 0 to 7'],
    ['-1 * * * *', 'minute field "-1" has "-1", which is not understood. A value has no sign'],
    ['60 * * * * *', 'second field "60" has 60. Use 0 to 59'],
    ['10-99 * * * *', 'minute field "10-99" has 99. Use 0 to 59'],
    ['999999999999999999999 * * * *', 'Use 0 to 59'],
  ])('refuses a value out of range: %s', (expression, message) => {
    expect(problemsOf(expression)).toEqual([expect.stringContaining(`cron expression "${expression}": `)]);
    expect(problemsOf(expression)[0]).toContain(message);
  });

  it.each([
    ['*/0 * * * *', 'has the step 0. Use a step from 1 to 60'],
    ['0/0 * * * *', 'has the step 0. Use a step from 1 to 60'],
    ['1-5/0 * * * *', 'has the step 0. Use a step from 1 to 60'],
    ['*/00 * * * *', 'has the step 00. Use a step from 1 to 60'],
    ['*/90 * * * *', 'has the step 90. Use a step from 1 to 60'],
    ['1/120 * * * *', 'has the step 120. Use a step from 1 to 60'],
    ['*/61 * * * * *', 'has the step 61. Use a step from 1 to 60'],
    ['0 */36 * * *', 'hour field "*/36" has the step 36. Use a step from 1 to 24'],
    ['0 0 */32 * *', 'has the step 32. Use a step from 1 to 31'],
    ['0 0 1 */13 *', 'has the step 13. Use a step from 1 to 12'],
    ['0 0 * * */8', 'has the step 8. Use a step from 1 to 7'],
    ['*/-5 * * * *', 'has "*/-5", which is not understood'],
    ['*/ * * * *', 'has "*/", which is not understood'],
    ['/5 * * * *', 'has "/5", which is not understood. Write "*/5"'],
  ])('refuses a step that cannot work: %s', (expression, message) => {
    expect(problemsOf(expression)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    ['1,,2 * * * *', 'has an empty list member. Remove the extra comma'],
    [',1 * * * *', 'has an empty list member'],
    ['1, * * * *', 'has an empty list member'],
    [', * * * *', 'has an empty list member'],
    ['*,5 * * * *', 'has "*" in a list. Write "*" alone'],
    ['30-10 * * * *', 'runs backwards (30 to 10). Write two ranges, or the smaller value first'],
    ['0 22-6 * * *', 'runs backwards (22 to 6)'],
    ['0 0 * DEC-FEB *', 'runs backwards (12 to 2)'],
    ['0 0 * * FRI-MON', 'runs backwards (5 to 1)'],
    ['0 0 * * 7-2', 'Sunday at the start of a range or step is 0'],
    ['0 0 * * 7-0', 'runs backwards (7 to 0)'],
    ['0 0 * * 7/2', 'Sunday at the start of a range or step is 0'],
    ['*-5 * * * *', 'has "*-5", which is not understood'],
    ['1-5-9 * * * *', 'has "1-5-9", which is not understood'],
    ['0 0 * * *\n', 'which is not understood'],
  ])('refuses the list or range %s', (expression, message) => {
    expect(problemsOf(expression)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    ['? * * * *', '"?" stands alone, and only in the two day fields; elsewhere write "*"'],
    ['* ? * * *', '"?" stands alone'],
    ['0 0 ?,1 * *', '"?" stands alone'],
    ['0 0 L-3 * *', 'has "L", which is no day-of-month. Use numbers from 1 to 31, L, LW, 15W'],
    ['0 0 1-5W * *', 'has "5W", which is no day-of-month'],
    ['0 0 l * *', 'has "l", which is no day-of-month'],
    [
      '0 0 * * L',
      'has "L", which is no day-of-week. Use numbers from 0 to 7, SUN, MON, TUE, WED, THU, FRI, SAT, 5L, 5#2',
    ],
    ['0 0 * * 1#L', 'has "1#L", which is not understood'],
    ['0 0 * * 1#0', 'asks for number 0. Use 1 to 5 after "#"'],
    ['0 0 * * 1#6', 'asks for number 6. Use 1 to 5 after "#"'],
    ['0 0 * * +MON', 'has "+MON", which is not understood. A value has no sign'],
    ['0 0 * MON *', 'has "MON", which is no month. Use numbers from 1 to 12, JAN'],
    ['0 0 * * JAN', 'has "JAN", which is no day-of-week'],
    ['0 0 * * MONDAY', 'has "MONDAY", which is no day-of-week'],
    ['0 0 * * MO', 'has "MO", which is no day-of-week'],
    ['0 0 * JANUARY *', 'has "JANUARY", which is no month'],
    ['0 FRI * * *', 'has "FRI", which is no hour. Use numbers from 0 to 23'],
    ['0x5 * * * *', 'has "0x5", which is no minute'],
    ['1.5 * * * *', 'has "1.5", which is not understood'],
    ['H * * * *', 'has "H", which is no minute'],
  ])('refuses other syntax: %s', (expression, message) => {
    expect(problemsOf(expression)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    [
      '* * * *',
      'has 4 fields. Write 5 fields (minute hour day-of-month month day-of-week) or 6 with the second first.',
    ],
    ['5', 'has 1 field. Write 5 fields'],
    ['0 0 0 * * * 2026', 'has 7 fields. Write 5 fields'],
    ['0 0 0 * * * 2026', 'A year field is not supported'],
    ['0 0 0 0 0 0 0 0', 'has 8 fields'],
    ['@reboot', 'is an unknown nickname. Use one of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly'],
    ['@Daily', 'is an unknown nickname'],
    ['@constructor', 'is an unknown nickname'],
    ['', 'is not a text with fields'],
    [' \t ', 'is not a text with fields'],
    [undefined, 'cron expression undefined: is not a text with fields'],
    [null, 'cron expression null: is not a text with fields'],
    [5, 'cron expression 5: is not a text with fields'],
    [`${'0,'.repeat(600)}0 * * * *`, 'is longer than 1000 characters'],
  ])('refuses %j', (expression, message) => {
    expect(problemsOf(expression)).toEqual([expect.stringContaining(message)]);
  });

  it.each(['0 0 31 2 *', '0 0 30 2 *', '0 0 31 4,6,9,11 *', '0 0 30W 2 *', '0 0 31W 2,4 ?'])(
    'refuses %s, which never fires',
    (expression) => {
      expect(problemsOf(expression)).toEqual([expect.stringContaining('never fires: no day')]);
    },
  );

  it.each(['0 0 29 2 *', '0 0 31 2 1', '0 0 31 1-2 *', '0 0 29W 2 *', '0 0 * 2 1#5', '0 0 L 2 *'])(
    'takes %s, which fires in some years',
    (expression) => {
      expect(read(expression).minutes).toEqual([0]);
    },
  );

  it('reports every problem of an expression at once', () => {
    const problems = problemsOf('60,x */99 32,,L-1 13 MO');
    expect(problems.map((problem) => / (\S+) field/.exec(problem)?.[1])).toEqual([
      'minute',
      'minute',
      'hour',
      'day-of-month',
      'day-of-month',
      'day-of-month',
      'month',
      'day-of-week',
    ]);
  });

  it('answers at once for long nonsense', () => {
    const started = cpuMs();
    problemsOf(`${'1-'.repeat(400)} ${'*/'.repeat(50)} ${'#'.repeat(40)} ${'L'.repeat(40)} x`);
    expect(cpuMs() - started).toBeLessThan(50);
  });
});

describe('cronWarnings', () => {
  const warnings = (expression: string): readonly string[] => cronWarnings(expression, read(expression));

  it('warns about every second of chosen minutes', () => {
    expect(warnings('* */5 * * * *')).toEqual([
      'cron expression "* */5 * * * *" fires every second of each minute it chooses: the first of six fields is the second. Write "0 */5 * * * *" to fire once in each of these minutes.',
    ]);
    expect(warnings('* 0 6 * * *')).toHaveLength(1);
  });

  it('does not warn about every second, or about chosen seconds', () => {
    expect(['* * * * * *', '0 */5 * * * *', '*/5 * * * *'].flatMap(warnings)).toEqual([]);
  });
});
