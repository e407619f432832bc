import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/**
 * Adds jobs or updates what differs. A job that is new counts as handled now, so that its workers have time to come.
 *
 * Fenced: no; the last process to register decides.
 * Locks: jobs by name, so that two processes with the same jobs cannot deadlock.
 * Index: jobs_pk.
 * Params: $1 names, $2 overlap policies, $3 concurrencies, $4 retentions, $5 lease ms, $6 deadline ms, $7 what alerts need
 * to know, $8 now.
 */
export const registerJobsSql = ({ table }: LedgerNames): string => `
insert into ${table.jobs} (name, overlap, concurrency, retention, lease_ms, deadline_ms, alert, handled_at)
select g.name, g.overlap, g.concurrency, g.retention::jsonb, g.lease_ms, g.deadline_ms, g.alert::jsonb, ${boundNow(8)}
from unnest($1::text[], $2::text[], $3::smallint[], $4::text[], $5::int[], $6::bigint[], $7::text[])
  as g(name, overlap, concurrency, retention, lease_ms, deadline_ms, alert)
order by g.name collate "C"
on conflict (name) do update
set
  overlap = excluded.overlap, concurrency = excluded.concurrency, retention = excluded.retention,
  lease_ms = excluded.lease_ms, deadline_ms = excluded.deadline_ms, alert = excluded.alert`;
