import { describe, expect, it } from 'vitest';
import { durationText, relativeText, settingText } from './duration-text.js';
import { instantText, isKnownZone } from './instant-text.js';

describe('durationText', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1.0 s'],
    [59_949, '59.9 s'],
    [59_960, '1 m 00 s'],
    [3_599_900, '1 h 00 m'],
    [200_000, '3 m 20 s'],
    [7_500_000, '2 h 05 m'],
    [273_600_000, '3 d 04 h'],
    [-1_500, '−1.5 s'],
  ])('of %d ms is %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});

it('leaves out parts of a setting that are nothing', () => {
  const texts = [30_000, 1_500, 900_000, 7_776_000_000, 5_400_000, 250].map(settingText);
  expect(texts).toEqual(['30 s', '1.5 s', '15 m', '90 d', '1 h 30 m', '250 ms']);
});

describe('relativeText', () => {
  it.each([
    [-4_000, 'just now'],
    [0, 'just now'],
    [4_000, 'now'],
    [-65_000, '1 min ago'],
    [300_000, 'in 5 min'],
    [-172_800_000, '2 d ago'],
    [-90_000_000, '25 h ago'],
  ])('of %d ms is %s', (ms, text) => {
    expect(relativeText(ms)).toBe(text);
  });
});

describe('instantText', () => {
  const at = Date.parse('2026-03-29T00:59:59.500Z');

  it('is what the clocks of the zone show, with the offset in force', () => {
    expect(instantText(at, 'UTC')).toEqual({ date: '2026-03-29', time: '00:59:59', offset: 'UTC' });
    expect(instantText(at, 'Asia/Shanghai')).toEqual({ date: '2026-03-29', time: '08:59:59', offset: '+08:00' });
    expect(instantText(at, 'Europe/Berlin')).toEqual({ date: '2026-03-29', time: '01:59:59', offset: '+01:00' });
    expect(instantText(at + 1_000, 'Europe/Berlin')).toMatchObject({ time: '03:00:00', offset: '+02:00' });
    expect(instantText(at, 'Europe/London')).toMatchObject({ time: '00:59:59', offset: '+00:00' });
  });

  it('is not asked for zones that nobody knows', () => {
    expect(isKnownZone('Asia/Shanghai')).toBe(true);
    expect(isKnownZone('Mars/Olympus')).toBe(false);
  });
});
