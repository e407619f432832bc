import { expect, it } from 'vitest';
import { parseSchedule } from './schedule.js';

it.each([
  ['0 6 * * *', 'At 06:00, every day (UTC)'],
  ['5 0 6,18 * * *', 'At 06:00:05 and 18:00:05, every day (UTC)'],
  ['* * * * *', 'Every minute, every day (UTC)'],
  ['*/5 * * * *', 'Every 5 minutes, every day (UTC)'],
  ['*/7 * * * *', 'Every 7 minutes from minute 0 of every hour, every day (UTC)'],
  ['0 * * * *', 'At minute 0 of every hour, every day (UTC)'],
  ['0,30 6-22 * * *', 'At minutes 0, 30 of hours 6-22, every day (UTC)'],
  ['20 */4 * * *', 'At minute 20 of every 4th hour, every day (UTC)'],
  ['*/15 * * * * *', 'Every 15 seconds, every day (UTC)'],
  ['30 * * * * *', 'At second 30 of every minute, every day (UTC)'],
  ['* */5 * * * *', 'Every second of every 5th minute, every day (UTC)'],
  ['0 10 1 * 5', 'At 10:00, on day 1 of the month or on Friday (UTC)'],
  ['0 0 */2 * MON-FRI', 'At 00:00, on every 2nd day from day 1 of the month or on Monday to Friday (UTC)'],
  ['0 0 L,15W * ?', 'At 00:00, on the last day and the day from Monday to Friday nearest to day 15 of the month (UTC)'],
  [
    '0 0 LW 1,6-8 *',
    'At 00:00, on the last day from Monday to Friday of the month, in January and June to August (UTC)',
  ],
  ['0 0 * */3 5L', 'At 00:00, on the last Friday of the month, in every 3rd month from January to December (UTC)'],
  ['0 0 * feb/4 1#2', 'At 00:00, on the 2nd Monday of the month, in every 4th month from February on (UTC)'],
  ['@weekly', 'At 00:00, on Sunday (UTC)'],
])('%s reads: %s', (expression, line) => {
  expect(parseSchedule(expression, { timeZone: 'UTC' }).describe()).toBe(line);
});
