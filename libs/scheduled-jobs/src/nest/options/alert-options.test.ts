import { describe, expect, it } from 'vitest';
import { InvalidOptionsError } from '../../core/errors.js';
import { resolveModuleOptions } from './module-options.js';

const resolved = (alerts?: unknown) => resolveModuleOptions({ alerts }).alerts;
function problems(alerts: unknown): readonly string[] {
  try {
    resolved(alerts);
  } catch (error) {
    if (error instanceof InvalidOptionsError) return error.problems;
  }
  return [];
}

describe('The alerts of the module', () => {
  it('are none unless they are asked for', () => {
    expect(resolved()).toBeNull();
  });

  it('watch everything by default, and deliver nothing', () => {
    expect(resolved({})).toEqual({
      onAlert: null,
      webhook: null,
      rules: [
        { kind: 'failure' },
        { kind: 'missed-period' },
        { kind: 'dead-letter-ratio', above: 0.1, windowMs: 3_600_000, minimum: 20 },
        { kind: 'backlog-age', aboveMs: 900_000 },
      ],
    });
  });

  it('can be turned off one by one, and set', () => {
    const off = { failures: false, missedPeriods: false, deadLetterRatio: false, backlogAge: false };
    expect(resolved(off)?.rules).toEqual([]);
    const set = { ...off, deadLetterRatio: { above: 0, window: '5m', minimum: 1 }, backlogAge: '1m' };
    expect(resolved(set)?.rules).toEqual([
      { kind: 'dead-letter-ratio', above: 0, windowMs: 300_000, minimum: 1 },
      { kind: 'backlog-age', aboveMs: 60_000 },
    ]);
  });

  it('take the credentials of an address out of it', () => {
    const url = 'https://ann:p%40ss@hooks.test/a?b=c';
    expect(resolved({ webhook: { url, headers: { 'X-Key': 'k' }, timeout: '5s', queue: 'alerts' } })?.webhook).toEqual({
      url: 'https://hooks.test/a?b=c',
      headers: { authorization: `Basic ${btoa('ann:p@ss')}`, 'x-key': 'k' },
      timeoutMs: 5_000,
      queue: 'alerts',
    });
    expect(resolved({ webhook: { url: 'http://x%:@h.test' } })?.webhook?.headers).toEqual({
      authorization: `Basic ${btoa('x%:')}`,
    });
  });

  it('are refused with all their mistakes', () => {
    const headers = { 'no header': 'x', lines: 'a\r\nb: c', number: 5 };
    expect(
      problems({
        onAlert: 'x',
        failure: true,
        failures: 1,
        deadLetterRatio: { above: Number.NaN, window: '1s', minimum: 0, over: 1 },
        backlogAge: '-1m',
        webhook: { url: 'ftp://x', headers, timeout: '1h', queue: '', uri: '' },
      }).map((problem) => problem.replace('ScheduledJobsModule.alerts.', '')),
    ).toEqual([
      'failure is not an option. Did you mean "failures"?',
      'onAlert must be a function, got "x"',
      'webhook.uri is not an option. Did you mean "url"?',
      'webhook.url is required: a URL that starts with "https://" or "http://"',
      'webhook.headers has "no header", which is not a header with a text',
      'webhook.headers has "lines", which is not a header with a text',
      'webhook.headers has "number", which is not a header with a text',
      'webhook.timeout must be a duration between 1s and 5m, got "1h"',
      expect.stringMatching(/^webhook\.queue must be 1–100 letters/),
      'failures must be true or false, got 1',
      'deadLetterRatio.over is not an option',
      'deadLetterRatio.above must be a number from 0 to 1, got NaN',
      'deadLetterRatio.window must be a duration between 1m and 7d, got "1s"',
      'deadLetterRatio.minimum must be a whole number from 1 to 100000, got 0',
      expect.stringMatching(/^backlogAge must be a duration such as/),
    ]);
  });

  it('show no value of an address or a header in a message', () => {
    const secret = 'hidden';
    const texts = problems({ webhook: { url: `${secret}://x`, headers: { a: `${secret}\n` } } }).join();
    expect(texts).toContain('webhook.url');
    expect(texts).not.toContain(secret);
  });
});
