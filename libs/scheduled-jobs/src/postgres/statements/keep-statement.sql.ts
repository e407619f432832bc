export interface StatementToKeep {
  readonly text: string;
  readonly parameters: string;
  readonly columns: string;
  readonly withoutJoins: readonly string[];
}

/**
 * Creates a function that runs one statement, whose plan each connection then keeps, behind a transaction pooler too. The plan
 * may be made while a table is empty, when all ways cost nothing, and has to serve when it is full: so it is made for no values,
 * and of the ways to a table only the scan of an index in its order is left.
 *
 * Fenced: by the migration lock, which the migrator holds.
 * Locks: none that others wait for.
 */
export const keepStatementSql = (
  name: string,
  { text, parameters, columns, withoutJoins }: StatementToKeep,
): string => `
create function ${name}(${parameters})
returns table (${columns})
language plpgsql
set search_path = pg_catalog
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off${withoutJoins.map((join) => `\nset enable_${join} = off`).join('')}
as $function$
#variable_conflict use_column
begin
return query ${text};
end
$function$`;
