export interface KeptStatementRow {
  readonly name: string;
  /** Whether the role may drop it. */
  readonly own: boolean;
}

/**
 * Finds the functions of kept statements.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: none: the catalog.
 * Params: $1 schema.
 */
export const findKeptStatementsSql = (): string => `
select p.proname::text as name, pg_has_role(p.proowner, 'usage') as own
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
where n.nspname = $1 and p.proname ~ '^kept_[a-z_]+_[0-9a-f]{8}$'`;
