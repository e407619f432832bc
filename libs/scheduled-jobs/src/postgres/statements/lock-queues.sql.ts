import type { LedgerNames } from '../ledger-names.js';

export interface LockedQueueRow {
  readonly name: string;
}

/**
 * Locks queues for a claim. The room is looked for by the next statement of the transaction: this one still sees the ledger
 * as it was before others, who had the lock until now, committed what they took.
 *
 * Fenced: by the row locks, held until the transaction has ended.
 * Locks: queues by name, skip locked; never waits.
 * Index: queues_pk.
 * Params: $1 names.
 */
export const lockQueuesSql = ({ table }: LedgerNames): string => `
select name
from ${table.queues}
where name = any ($1::text[])
order by name
for update skip locked`;
