import { expect, it } from 'vitest';
import { countsText, percentilesText, rateText } from './figure-text.js';

it('rounds rates without hiding what failed, and has none without executions', () => {
  const rates = [null, 1, 0, 0.9, 19_999 / 20_000, 1 / 20_000, 0.98765];
  expect(rates.map(rateText)).toEqual(['–', '100 %', '0 %', '90 %', '> 99.9 %', '< 0.1 %', '98.8 %']);
});

it('lists what did not simply succeed', () => {
  const none = { succeeded: 3, completedWithErrors: 0, failed: 0, canceled: 0, skipped: 0, open: 0 };
  expect(countsText(none)).toBe('none failed or was skipped');
  expect(countsText({ ...none, failed: 2, skipped: 1, open: 4 })).toBe('2 failed, 1 skipped, 4 open');
});

it('names the percentiles', () => {
  expect(percentilesText(null)).toBe('nothing to measure');
  const text = percentilesText({ p50: 1, p95: 1_500, p99: 2_000, max: 60_000 });
  expect(text.split(' ').map((part) => part.replaceAll('\u00A0', ' '))).toEqual([
    'p95 1.5 s,',
    'p99 2.0 s,',
    'max 1 m 00 s',
  ]);
});
