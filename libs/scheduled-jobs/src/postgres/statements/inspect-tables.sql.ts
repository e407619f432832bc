export interface TableRow {
  readonly name: string;
  readonly live: number;
  readonly dead: number;
  readonly bytes: number;
  readonly vacuumed_at: Date | null;
}

/**
 * Reads how many rows of each table of a schema are alive and dead, as far as the server's statistics know.
 *
 * Fenced: no, it only reads.
 * Locks: access share on each table, for its size.
 * Index: none: system views.
 * Params: $1 schema.
 */
export const inspectTablesSql = (): string => `
select
  relname as name, n_live_tup::float8 as live, n_dead_tup::float8 as dead, pg_total_relation_size(relid)::float8 as bytes,
  greatest(last_vacuum, last_autovacuum) as vacuumed_at
from pg_stat_all_tables
where schemaname = $1
order by relname`;
