import type { Statistics } from '../../api/answers.js';
import { durationText } from '../../time/duration-text.js';
import { countText } from '../../ui/number-text.js';

/** A share of 1 in percent: never 100 % as long as one has failed, never 0 % as long as one has not. */
export function rateText(rate: number | null): string {
  if (rate === null) return '–';
  const percent = rate * 100;
  const rounded = Math.round(percent * 10) / 10;
  if (rounded === 100 && rate < 1) return '> 99.9 %';
  if (rounded === 0 && rate > 0) return '< 0.1 %';
  return `${rounded} %`;
}

/** What did not simply succeed, by kind; those that there are. */
export function countsText({ completedWithErrors, failed, canceled, skipped, open }: Statistics['executions']): string {
  const counts = [
    [failed, 'failed'],
    [completedWithErrors, 'with errors'],
    [canceled, 'canceled'],
    [skipped, 'skipped'],
    [open, 'open'],
  ] as const;
  const found = counts.filter(([count]) => count > 0).map(([count, text]) => `${countText(count)} ${text}`);
  return found.length === 0 ? 'none failed or was skipped' : found.join(', ');
}

/** The percentiles above the middle one. */
export const percentilesText = (of: Statistics['durationMs']): string =>
  of === null ? 'nothing to measure' : [solid('p95', of.p95), solid('p99', of.p99), solid('max', of.max)].join(', ');

/** No line breaks within it. */
const solid = (name: string, ms: number): string => `${name} ${durationText(ms)}`.replaceAll(' ', '\u00A0');
