export interface SchemaLineRow {
  /** The table, else the object itself. */
  readonly relation: string;
  readonly line: string;
}

/**
 * Describes what a schema holds, one line a column, constraint, storage option, index, trigger or other object, such as
 * `column name text not null` of `jobs`; the same wherever it is asked. Texts of functions and defaults still carry the schema.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: none: the catalog.
 * Params: $1 schema.
 */
export const describeSchemaSql = (): string => `
select relation::text as relation, line
from (
  select c.relname as relation, 1 as part, a.attnum as ord, a.attname as name,
    'column ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when l.collname <> 'default' then ' collate ' || l.collname else '' end
    || case when a.attnotnull then ' not null' else '' end
    || case a.attidentity when 'a' then ' generated always as identity' else '' end
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_collation l on l.oid = a.attcollation
  where c.relnamespace = to_regnamespace($1) and c.relkind = 'r'
  union all
  select c.relname, 2, 0, k.conname, 'constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid, true)
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where c.relnamespace = to_regnamespace($1) and k.contype <> 'n'
  union all
  select c.relname, 3, 0, option, 'with ' || option
  from pg_class c, unnest(c.reloptions) as option
  where c.relnamespace = to_regnamespace($1) and c.relkind = 'r'
  union all
  select t.relname, 4, 0, x.relname,
    replace(pg_get_indexdef(i.indexrelid), ' ' || quote_ident($1) || '.', ' ')
    || case when i.indisvalid then '' else ' (invalid)' end
  from pg_index i
  join pg_class t on t.oid = i.indrelid
  join pg_class x on x.oid = i.indexrelid
  where t.relnamespace = to_regnamespace($1)
    and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)
  union all
  select c.relname, 5, 0, t.tgname, 'trigger ' || t.tgname
  from pg_trigger t
  join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = to_regnamespace($1) and not t.tgisinternal
  union all
  select c.relname, 6, 0, c.relname,
    case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'relation of kind ' || c.relkind::text end
  from pg_class c
  where c.relnamespace = to_regnamespace($1) and c.relkind not in ('r', 'i')
  union all
  select p.proname, 7, 0, p.proname, 'function'
  from pg_proc p
  where p.pronamespace = to_regnamespace($1)
  union all
  select t.typname, 8, 0, t.typname, 'type'
  from pg_type t
  where t.typnamespace = to_regnamespace($1) and t.typtype in ('e', 'd')
) described
order by relation, part, ord, name`;
