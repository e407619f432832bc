import { expect, it } from 'vitest';
import { attemptRecord } from '../../../../test/support/ledger.js';
import { QueueGate } from './queue-gate.js';

it('an end in a gated queue wakes the worker, whatever the last look said, one in another queue does not', () => {
  let woken = 0;
  const gate = new QueueGate({
    store: { claimGated: async () => ({ claimed: [], isBusy: false }) },
    queues: { recordVerdicts: async () => [] },
    clock: { monotonicMs: () => 0, boundNow: () => null },
    emit: () => undefined,
    onRoom: () => woken++,
  });
  const record = attemptRecord({ executionId: '1', leaseToken: '1' });
  for (const opensInMs of [null, 0]) {
    gate.look([{ queue: 'mail', ready: true, opensInMs, hasBreaker: false }], false);
    gate.recorded('mail', record);
    gate.recorded('default', record);
  }
  expect(woken).toBe(2);
});
