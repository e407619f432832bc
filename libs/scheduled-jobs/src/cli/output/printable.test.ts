import { expect, it } from 'vitest';
import { printable } from './printable.js';

it('shows what a terminal would obey, and leaves JSON the same JSON', () => {
  expect(printable('a\u001b]0;title\u0007b\r\u009b2J\u202ec')).toBe('a\\u001b]0;title\\u0007b\\u000d\\u009b2J\\u202ec');
  expect(printable('a\tb\nü✓ 日本')).toBe('a\tb\nü✓ 日本');
  const value = { name: 'a\u009b2J\u202e\u001b' };
  expect(JSON.parse(printable(JSON.stringify(value)))).toEqual(value);
});
