import { afterEach } from 'vitest';
import type { TestLedger } from './ledger.js';
import { TestWorker, type TestJob, type TestWorkerOptions } from './test-worker.js';

/** Starts workers and stops them after each test, before anybody looks at the ledger. */
export function useWorkers(
  ledger: () => TestLedger,
): (jobs: Readonly<Record<string, TestJob>>, options?: TestWorkerOptions) => Promise<TestWorker> {
  const started: TestWorker[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((worker) => worker.stop({ timeoutMs: 0 })));
  });
  return async (jobs, options) => {
    const worker = new TestWorker(ledger(), jobs, options);
    started.push(worker);
    return worker.start();
  };
}
