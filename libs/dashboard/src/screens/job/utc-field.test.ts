import { expect, it } from 'vitest';
import { lastDay, utcField, utcInstant } from './utc-field.js';

it('takes fields of date and time as UTC, wherever the browser is', () => {
  expect(utcInstant('2026-03-29T02:30')).toBe('2026-03-29T02:30:00.000Z');
  expect(utcInstant('2026-03-29T02:30:15')).toBe('2026-03-29T02:30:15.000Z');
  expect(utcInstant('')).toBeNull();
  expect(utcInstant('yesterday')).toBeNull();
  expect(lastDay(Date.parse('2026-03-29T02:30:59.999Z'))).toEqual({ from: '2026-03-28T02:30', to: '2026-03-29T02:30' });
});

it('fills such a field to the second only where an instant is no whole minute', () => {
  expect(utcField(Date.parse('2026-03-29T02:30:00Z'))).toBe('2026-03-29T02:30');
  expect(utcField(Date.parse('2026-03-29T02:30:15Z'))).toBe('2026-03-29T02:30:15');
});
