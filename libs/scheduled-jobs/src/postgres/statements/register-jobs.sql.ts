import type { LedgerNames } from '../ledger-names.js';

/**
 * Adds jobs or updates what differs.
 *
 * Fenced: no; the last process to register decides.
 * Locks: jobs by name, so that two processes with the same jobs cannot deadlock.
 * Index: jobs_pk.
 * Params: $1 names, $2 overlap policies, $3 concurrencies.
 */
export const registerJobsSql = ({ table }: LedgerNames): string => `
insert into ${table.jobs} (name, overlap, concurrency)
select g.name, g.overlap, g.concurrency
from unnest($1::text[], $2::text[], $3::smallint[]) as g(name, overlap, concurrency)
order by g.name collate "C"
on conflict (name) do update
set overlap = excluded.overlap, concurrency = excluded.concurrency`;
