import { describe, expect, it } from 'vitest';
import { matchRoute, pathOf, withQuery } from './route.js';

describe('matchRoute', () => {
  it('finds the named parts, decoded', () => {
    expect(matchRoute('/executions/:key', '/executions/report%3A2026%2F08')).toEqual({ key: 'report:2026/08' });
    expect(matchRoute('/', '/')).toEqual({});
    expect(matchRoute('/executions', '/executions/')).toEqual({});
  });

  it.each(['/executions', '/executions/1/2', '/queues/1', '/executions/%E0%A4%A'])('does not fit %s', (path) => {
    expect(matchRoute('/executions/:key', path)).toBeNull();
  });

  it('undoes what pathOf does, whatever a key holds', () => {
    const key = 'mail:a/b?c#d%20 汉';
    expect(matchRoute('/executions/:key', pathOf('executions', key))).toEqual({ key });
  });
});

describe('withQuery', () => {
  it('leaves empty members out and repeats lists', () => {
    expect(withQuery('/executions', { job: 'mail', queue: '', worker: undefined, state: ['failed', 'running'] })).toBe(
      '/executions?job=mail&state=failed&state=running',
    );
    expect(withQuery('/executions', { state: [] })).toBe('/executions');
  });
});
