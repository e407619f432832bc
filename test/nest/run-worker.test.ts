import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { BackgroundJob, InvalidOptionsError, JobsClient, runWorker, Worker, type JobRun } from 'nestjs-scheduled-jobs';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { createApp, jobsModule, nextEvent } from '../support/jobs-app.js';

let database: TestDatabase;
let release = (): void => {};
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const own = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const);

class Jobs {
  @BackgroundJob({ name: 'held' })
  async held(_run: JobRun<never>): Promise<void> {
    await new Promise<void>((resolve) => (release = resolve));
  }
}

beforeAll(async () => {
  database = await createDatabase();
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const [signal, before] of own) {
    for (const listener of process.listeners(signal)) if (!before.includes(listener)) process.off(signal, listener);
  }
});
afterAll(() => database.drop());

const start = () =>
  runWorker(jobsModule({ url: database.url, providers: [Jobs], jobs: { worker: false } }), { logger: false });

async function startHolding() {
  const app = await start();
  const started = nextEvent(app, 'attempt.started');
  const { execution } = await app.get(JobsClient).enqueue('held');
  await started;
  return { app, executionId: execution?.executionId ?? '' };
}

/** The codes that the process would have exited with, as they come. */
function exitCodes(): readonly unknown[] {
  const codes: unknown[] = [];
  vi.spyOn(process, 'exit').mockImplementation(((code: unknown) => codes.push(code)) as never);
  return codes;
}

describe('runWorker', () => {
  it('claims, whatever the module says about its worker, and drains on close', async () => {
    const { app } = await startHolding();
    const ended = nextEvent(app, 'execution.ended');
    const draining = nextEvent(app, 'worker.draining');
    const closed = app.close();
    await draining;
    release();
    expect(await ended).toMatchObject({ job: 'held', state: 'succeeded' });
    await closed;
  });

  it.each(SIGNALS)('drains at %s and exits with code 0', async (signal) => {
    const { app } = await startHolding();
    const codes = exitCodes();
    const ended = nextEvent(app, 'execution.ended');
    const draining = nextEvent(app, 'worker.draining');
    process.emit(signal);
    await draining;
    // The same key press may arrive twice.
    process.emit(signal);
    expect(codes).toEqual([]);
    release();
    expect(await ended).toMatchObject({ state: 'succeeded' });
    await expect.poll(() => codes).toEqual([0]);
  });

  it('stops by force at a second signal: hands back what does not stop, and exits with code 1', async () => {
    const { app, executionId } = await startHolding();
    const codes = exitCodes();
    const draining = nextEvent(app, 'worker.draining');
    const finished = nextEvent(app, 'attempt.finished');
    process.emit('SIGTERM');
    await draining;
    const startedMs = performance.now();
    vi.spyOn(performance, 'now').mockReturnValueOnce(startedMs + 2_000);
    process.emit('SIGTERM');
    expect(codes).toEqual([]);
    expect(await finished).toMatchObject({ executionId, outcome: 'interrupted' });
    await expect.poll(() => codes.length).toBeGreaterThan(0);
    expect(codes[0]).toBe(1);
    expect(performance.now() - startedMs).toBeLessThan(4_000);
    // The mocked exit lets the process live on, so that it also closes.
    await expect.poll(() => codes.length).toBeGreaterThan(1);
    release();
  });

  it('exits at once at a third signal', async () => {
    const { app } = await startHolding();
    const codes = exitCodes();
    const draining = nextEvent(app, 'worker.draining');
    const now = vi.spyOn(performance, 'now');
    process.emit('SIGTERM');
    await draining;
    for (const laterMs of [2_000, 4_000]) {
      now.mockReturnValueOnce(performance.now() + laterMs);
      now.mockReturnValueOnce(performance.now() + laterMs);
      process.emit('SIGTERM');
    }
    expect(codes).toEqual([1]);
    await expect.poll(() => codes.length).toBeGreaterThan(2);
    release();
  });

  it('fails with the mistake when it cannot start', async () => {
    class Wrong {
      @BackgroundJob({ name: 'a:b' })
      run(): void {}
    }
    const failed = runWorker(jobsModule({ url: database.url, providers: [Wrong] }), {
      logger: false,
      abortOnError: false,
    });
    await expect(failed).rejects.toThrow(InvalidOptionsError);
  });

  it('refuses an application without any job, or without the ledger, and leaves nothing running', async () => {
    const closed: string[] = [];
    @Injectable()
    class Service implements OnApplicationShutdown {
      onApplicationShutdown(): void {
        closed.push('closed');
      }
    }
    const options = { logger: false as const };
    const idle = runWorker(jobsModule({ url: database.url, providers: [Service] }), options);
    await expect(idle).rejects.toThrow(InvalidOptionsError);
    await expect(idle).rejects.toThrow(
      'This worker has no jobs. Import the modules whose providers carry @ScheduledJob',
    );
    @Module({ providers: [Service] })
    class WithoutLedger {}
    await expect(runWorker(WithoutLedger, options)).rejects.toThrow('does not import ScheduledJobsModule.forRoot()');
    expect(closed).toEqual(['closed', 'closed']);
  });

  it('refuses to run in the process of a command, before it makes anything; so does any other application', async () => {
    const mark = Symbol.for('nestjs-scheduled-jobs/command-process');
    const made: string[] = [];
    class Made {
      constructor() {
        made.push('a provider');
      }
    }
    const refused = /^Cannot start the application:\n- this process is a command of nestjs-scheduled-jobs/;
    const other = await createApp(jobsModule({ url: database.url, providers: [Jobs], jobs: { migrations: 'check' } }));
    Object.assign(process, { [mark]: true });
    try {
      const root = jobsModule({ url: database.url, providers: [Jobs, Made] });
      await expect(runWorker(root, { logger: false })).rejects.toThrow(refused);
      await expect(other.init()).rejects.toThrow(refused);
    } finally {
      Reflect.deleteProperty(process, mark);
      await other.close();
    }
    expect(made).toEqual([]);
  });

  it('makes a worker that can be stopped by hand', async () => {
    const app = await start();
    await app.get(Worker).stop();
    await app.close();
    expect(app.get(Worker).runningCount).toBe(0);
  });
});
