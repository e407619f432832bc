import type { OverlapPolicy } from './job-definition.js';
import { describe, expect, it } from 'vitest';
import { concurrencyKeyOf } from './concurrency-key.js';

const job = (overlap: OverlapPolicy, concurrencyKey: ((payload: unknown) => string) | null = null) => ({
  name: 'report',
  aliases: [],
  overlap,
  concurrencyKey,
});

describe('concurrencyKeyOf', () => {
  it('is the job itself under queue and nothing under allow', () => {
    expect(concurrencyKeyOf(job('queue'), null, expect.fail)).toBe('job:report');
    expect(concurrencyKeyOf(job('allow'), null, expect.fail)).toBeNull();
  });

  it('is what the function says, apart from the groups of jobs', () => {
    const key = concurrencyKeyOf(
      job('allow', (payload) => `job:${String(payload)}`),
      7,
      expect.fail,
    );
    expect(key).toBe('key:job:7');
  });

  it.each([
    ['undefined', () => undefined],
    ['NaN', () => Number.NaN],
    ['a number', () => -5],
    ['a promise', () => Promise.resolve('x')],
    ['a promise that is rejected', () => Promise.reject(new Error('nobody waits for it'))],
    ['an empty text', () => ''],
    ['a long text', () => 'x'.repeat(201)],
    ['an unstorable text', () => 'a\0'],
    [
      'an error',
      () => {
        throw new Error('boom');
      },
    ],
  ])('falls back with a warning when the function gives %s', (_, give) => {
    const warnings: string[] = [];
    const broken = give as unknown as (payload: unknown) => string;
    expect(concurrencyKeyOf(job('queue', broken), null, (text) => warnings.push(text))).toBe('job:report');
    expect(concurrencyKeyOf(job('allow', broken), null, (text) => warnings.push(text))).toBeNull();
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain('concurrencyKey of the job "report"');
  });
});
