import type { LedgerNames } from '../ledger-names.js';

/**
 * True when something of a queue is ready. In the order of the index, whatever statistics say: where nothing of the queue is
 * ready, any other way reads all that is ready of others.
 * @param queue The queue's name, as an SQL expression.
 */
export const hasReady = ({ table }: LedgerNames, queue: string): string => `(
    select w.execution_id
    from ${table.work} w
    where w.phase = 'ready' and w.queue = ${queue}
    order by w.priority, w.run_at, w.execution_id
    limit 1
  ) is not null`;
