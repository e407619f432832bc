import type { LedgerNames } from '../ledger-names.js';

/** Columns of `first_cancel`. */
export interface FirstCancelRow {
  readonly canceled_by_at: Date | null;
  readonly canceled_by: string | null;
  readonly cancel_reason: string | null;
}

/** Joins who was the first to ask that an execution `e` be canceled, since its last replay. */
export const joinFirstCancel = ({ table }: LedgerNames): string => `
left join lateral (
  select asked.at, asked.actor, asked.reason, (asked.details ->> 'replacedBy')::bigint as replaced_by
  from ${table.audit} asked
  where asked.execution_id = e.id
    and asked.action = 'cancel'
    and asked.id > coalesce((
      select max(again.id) from ${table.audit} again where again.execution_id = e.id and again.action = 'replay'
    ), 0)
  order by asked.id
  limit 1
) first_cancel on true`;
