import { NamedLeases } from '../../../libs/scheduled-jobs/dist/engine/named-leases.js';
import { SYSTEM_CLOCK } from '../../../libs/scheduled-jobs/dist/core/system-clock.js';

/** Holds a named lease for ever, and tells what becomes of it and of what it tries once it is lost. */
export async function holdLease({ name, ttlMs }, { stores, dataSource, emit, tell }) {
  const leases = new NamedLeases({ store: stores.leases, clock: SYSTEM_CLOCK, emit });
  const section = async ({ leaseToken, acquiredAt, signal, fence }) => {
    tell({ type: 'lease-held', leaseToken });
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    tell({ type: 'lease-signal', code: signal.reason.code });
    const change = 'update accounts set balance = balance + 1000 where id = 1';
    await dataSource
      .transaction(async (tx) => {
        await tx.query(change);
        await fence(tx);
      })
      .catch((error) => tell({ type: 'fence-refused', code: error.code }));
    // As if it had not heard of its signal.
    const held = { name, leaseToken, ttlMs, acquiredAt };
    tell({ type: 'fenced', held: await dataSource.transaction((tx) => stores.leases.fence(held, tx, null)) });
    return 'done';
  };
  await leases.withLease(name, { ttlMs, waitMs: 0 }, section).then(
    () => tell({ type: 'lease-ended' }),
    (error) => tell({ type: 'lease-lost', code: error.code }),
  );
}
