export interface ServerRow {
  readonly now: Date;
  readonly version: string;
  readonly version_number: number;
  readonly is_standby: boolean;
  readonly max_connections: number;
  readonly reserved_connections: number;
  readonly used_connections: number;
  /** Sessions of other roles of which this one may not see more than that they are there. */
  readonly hidden_sessions: number;
  readonly oldest_pid: number | null;
  readonly oldest_application: string | null;
  readonly oldest_state: string | null;
  readonly oldest_ms: number | null;
  readonly prepared: number;
  readonly oldest_prepared_ms: number | null;
}

const ageMs = (since: string): string => `floor(extract(epoch from clock_timestamp() - ${since}) * 1000)::float8`;

/**
 * Reads what the server says of itself: its clock and version, how many connections are in use, and the oldest snapshot, which
 * keeps vacuum from removing what was changed since.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: none: system views.
 */
export const inspectServerSql = (): string => `
select
  clock_timestamp() as now,
  current_setting('server_version') as version,
  current_setting('server_version_num')::int as version_number,
  pg_is_in_recovery() as is_standby,
  current_setting('max_connections')::int as max_connections,
  current_setting('superuser_reserved_connections')::int
    + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved_connections,
  sessions.used as used_connections,
  sessions.hidden as hidden_sessions,
  oldest.pid as oldest_pid,
  oldest.application_name as oldest_application,
  oldest.state as oldest_state,
  ${ageMs('oldest.xact_start')} as oldest_ms,
  prepared.count as prepared,
  ${ageMs('prepared.oldest')} as oldest_prepared_ms
from (
  select
    count(*) filter (where backend_type = 'client backend')::int as used,
    count(*) filter (where query = '<insufficient privilege>')::int as hidden
  from pg_stat_activity
) sessions
cross join (
  select count(*)::int as count, min(prepared) as oldest from pg_prepared_xacts where database = current_database()
) prepared
left join lateral (
  select pid, application_name, state, xact_start
  from pg_stat_activity
  where xact_start is not null and pid <> pg_backend_pid() and datname = current_database()
  order by xact_start
  limit 1
) oldest on true`;
