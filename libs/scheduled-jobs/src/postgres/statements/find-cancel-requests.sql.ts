import type { LedgerNames } from '../ledger-names.js';
import { givenIds } from './work-lookup.js';

export interface CancelRequestRow {
  readonly id: string;
  readonly token: string;
}

/**
 * Tells which of the work that somebody holds was asked to stop, with the token that it has now.
 *
 * Fenced: no, it only reads; the caller compares the tokens.
 * Locks: none.
 * Index: work_pk.
 * Params: $1 ids.
 */
export const findCancelRequestsSql = ({ table }: LedgerNames): string => `
select execution_id::text as id, lease_token::text as token
from ${table.work}
where execution_id = any (${givenIds(1)}) and cancel_requested_at is not null`;
