import { describe, expect, it } from 'vitest';
import { resolveModuleOptions } from './module-options.js';

describe('the options of the module', () => {
  it('have the documented defaults', () => {
    expect(resolveModuleOptions({})).toEqual({
      scheduler: true,
      worker: false,
      concurrency: 10,
      queues: null,
      pollIntervalMs: 5_000,
      shutdownTimeoutMs: 25_000,
      timeZone: null,
      queueLimits: [],
      schema: 'scheduled_jobs',
      migrations: 'check',
      listenUrl: null,
      release: null,
      alerts: null,
      jobs: {},
    });
  });

  it.each([
    ['concurrency', 0],
    ['concurrency', -1],
    ['concurrency', Number.POSITIVE_INFINITY],
    ['concurrency', 1.5],
    ['concurrency', '3'],
    ['pollInterval', 5],
    ['pollInterval', '0s'],
    ['shutdownTimeout', '2h'],
    ['queues', []],
    ['queues', 'mail'],
  ])('refuse worker.%s = %s', (name, value) => {
    expect(() => resolveModuleOptions({ worker: { [name]: value } })).toThrow(`worker.${name} must`);
  });

  it('take every documented value', () => {
    const worker = { concurrency: 3, queues: ['a', 'b', 'a'], pollInterval: '1s', shutdownTimeout: '0s' } as const;
    const options = { worker, schema: '_x9', migrations: 'run', listenUrl: 'postgresql://u@h:5432/d', jobs: { a: {} } };
    expect(resolveModuleOptions(options)).toMatchObject({
      worker: true,
      concurrency: 3,
      queues: ['a', 'b'],
      pollIntervalMs: 1_000,
      shutdownTimeoutMs: 0,
      listenUrl: 'postgresql://u@h:5432/d',
      jobs: { a: {} },
    });
    expect(resolveModuleOptions({ worker: true, listenUrl: false })).toMatchObject({ worker: true, listenUrl: false });
  });
});
