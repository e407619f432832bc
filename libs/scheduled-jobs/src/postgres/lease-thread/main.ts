// What the keeper thread runs. The event loop that started it may be blocked, so it is told of failures later.
import { parentPort, workerData } from 'node:worker_threads';
import { BlockedLoopRenewals } from './blocked-loop-renewals.js';
import type { LeaseThreadData } from './lease-thread-data.js';
import { PostgresRenewalConnection } from './renewal-connection.js';
import { SharedLeases } from './shared-leases.js';

const { memory, checkEveryMs, connection, schema } = workerData as LeaseThreadData;
const renewals = new BlockedLoopRenewals(new SharedLeases(memory), new PostgresRenewalConnection(connection, schema));
let isFailing = false;

setInterval(() => {
  renewals.look().then(
    () => (isFailing = false),
    (error: unknown) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      if (!isFailing) parentPort?.postMessage(String(error));
      isFailing = true;
    },
  );
}, checkEveryMs);
