import type { LedgerNames } from '../ledger-names.js';
import { ALERT_COLUMNS } from './alert-columns.js';
import { boundNow } from './bound-now.js';

const NOW = boundNow(1);

/**
 * Takes alerts that were not announced, the oldest first, for a minute: who does not say by then that it announced one
 * leaves it to others, after growing distances for a day.
 *
 * Fenced: no: an alert is announced at least once.
 * Locks: alerts by id, skip locked; never waits.
 * Index: alerts_unannounced, alerts_pk.
 * Params: $1 now, $2 limit.
 */
export const takeUnannouncedSql = ({ table }: LedgerNames): string => `
with taken as (
  update ${table.alerts} a
  set announce_at = case
    when a.opened_at > ${NOW} - interval '1 day' then ${NOW} + greatest(${NOW} - a.opened_at, interval '1 minute')
  end
  where a.id = any (array(
    select id
    from ${table.alerts}
    where announce_at is not null and announce_at <= ${NOW}
    order by id
    limit $2
    for update skip locked
  ))
  returning a.id, a.kind, a.subject, a.execution_id, a.runbook, a.detail, a.opened_at, a.closed_at
)
select ${ALERT_COLUMNS} from taken a order by a.id`;
