import { describe, expect, it } from 'vitest';
import { backgroundJob, claimedExecution, EventRecorder } from '../../../../test/support/engine.js';
import { AttemptRunner, type AttemptRunnerDependencies } from './attempt-runner.js';
import type { Finisher } from './finisher.js';
import { HeldExecution } from './held-execution.js';

/** A runner whose records take so long, by its clock. */
function setUp({ recordMs }: { readonly recordMs: number }) {
  const recorder = new EventRecorder();
  const time = { ms: 0 };
  const record: Finisher['record'] = async (_, { executionId }) => {
    time.ms += recordMs;
    return { executionId, disposition: 'succeeded', freedKey: null };
  };
  const runner = new AttemptRunner({
    finisher: { record },
    clock: { monotonicMs: () => time.ms, boundNow: () => null },
    emit: recorder.emit,
    readPayload: () => null,
    onRecorded: () => undefined,
    onOver: () => undefined,
  } as unknown as AttemptRunnerDependencies<unknown>);
  const run = (handler: () => unknown): Promise<void> =>
    runner.run(
      new HeldExecution(claimedExecution(), { sentMs: 0, receivedMs: 0 }),
      { definition: backgroundJob(), handler },
      () => undefined,
    );
  return { recorder, time, run };
}

describe('AttemptRunner', () => {
  it('tells how long the handler took, without what the record of its end took', async () => {
    const { recorder, time, run } = setUp({ recordMs: 5_000 });
    await run(() => (time.ms += 20));
    expect(recorder.of('attempt.finished')).toMatchObject([{ outcome: 'succeeded', durationMs: 20 }]);
  });
});
