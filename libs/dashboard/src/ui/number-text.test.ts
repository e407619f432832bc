import { expect, it } from 'vitest';
import { countText, measureText, numberedText } from './number-text.js';

it('writes numbers out, however large they are', () => {
  expect([0, 999, 1_234_567, 12_000_000_000].map(countText)).toEqual(['0', '999', '1,234,567', '12,000,000,000']);
  expect([17_123.4, 1.714, 0.021_71, 0].map(measureText)).toEqual(['17,100', '1.71', '0.0217', '0']);
  expect([0, 1, 1_234].map((count) => numberedText(count, 'attempt'))).toEqual([
    '0 attempts',
    '1 attempt',
    '1,234 attempts',
  ]);
});
