import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';

/** A version that was carried a shorter while ago is not written again, whoever asks. */
export const CARRIED_AGAIN_AFTER_MS = 25_000;

/**
 * Notes that an instance whose code equals these versions is alive, where that was not noted shortly before.
 *
 * Fenced: no; the time only grows.
 * Locks: schedule versions, skip locked: who holds one is noting the same. Heap-only.
 * Index: schedule_versions_pk.
 * Params: $1 schedule names, $2 versions, $3 now.
 */
export const carryVersionsSql = ({ table }: LedgerNames): string => `
with stale as (
  select v.schedule_name, v.version
  from unnest($1::text[], $2::int[]) as g(schedule_name, version)
  join ${table.schedule_versions} v on v.schedule_name = g.schedule_name and v.version = g.version
  where v.carried_at is null or v.carried_at < ${boundNow(3)} - ${CARRIED_AGAIN_AFTER_MS} * interval '1 millisecond'
  for no key update of v skip locked
)
update ${table.schedule_versions} v
set carried_at = date_trunc('milliseconds', ${boundNow(3)})
from stale
where v.schedule_name = stale.schedule_name and v.version = stale.version`;
