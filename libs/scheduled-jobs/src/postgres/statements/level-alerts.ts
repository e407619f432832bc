import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

const NOW = boundNow(1);

/** A level that passed its limit, or one that is below it again. */
export interface LevelRow {
  /** Null = it was closed. */
  readonly id: string | null;
  readonly subject: string;
}

/** A level that wavers around its limit would be raised again and again. */
export const CLOSES_BELOW = 0.8;

/** Each but the kind is an SQL expression, over the row `g` of `judged`. */
interface Level {
  readonly kind: 'dead-letter-ratio' | 'backlog-age';
  readonly runbook: string;
  readonly detail: string;
  readonly isAbove: string;
  readonly isWellBelow: string;
}

/**
 * The end of a statement: opens and closes alerts by what `judged` says of each subject, and gives both as rows. Its first
 * parameters are now and how many alerts are opened at most.
 */
export const levelAlerts = ({ table }: LedgerNames, level: Level): string => `
opened as (
  insert into ${table.alerts} (kind, subject, runbook, detail, opened_at, announce_at)
  select '${level.kind}', g.subject, ${level.runbook}, ${level.detail}, ${NOW}, ${NOW}
  from judged g
  where ${level.isAbove}
    and not exists (
      select 1
      from ${table.alerts} a
      where a.kind = '${level.kind}' and a.subject = g.subject and a.closed_at is null
    )
  order by g.subject
  limit $2
  on conflict do nothing
  returning id, subject
),
closed as (
  update ${table.alerts} a
  set closed_at = ${NOW}
  where a.kind = '${level.kind}'
    and a.closed_at is null
    and a.subject = any (array(select g.subject from judged g where ${level.isWellBelow}))
  returning a.subject
)
select opened.id::text as id, opened.subject from opened
union all
select null, closed.subject from closed
order by 1, 2`;
