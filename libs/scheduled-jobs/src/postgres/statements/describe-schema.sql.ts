export interface SchemaLineRow {
  readonly line: string;
}

/**
 * Describes what a schema holds, one line a column, constraint, index, storage option or other object, such as
 * `jobs: name text not null`. Names still carry the schema.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: none: the catalog.
 * Params: $1 schema.
 */
export const describeSchemaSql = (): string => `
select c.relname || ': column ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
  || case when a.attcollation <> 0 and l.collname <> 'default' then ' collate ' || l.collname else '' end
  || case when a.attnotnull then ' not null' else '' end
  || case a.attidentity when 'a' then ' identity' else '' end
  || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
left join pg_collation l on l.oid = a.attcollation
where c.relnamespace = to_regnamespace($1) and c.relkind = 'r'
union all
select c.relname || ': constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid, true)
from pg_constraint k
join pg_class c on c.oid = k.conrelid
where c.relnamespace = to_regnamespace($1) and k.contype <> 'n'
union all
select c.relname || ': with ' || option
from pg_class c, unnest(c.reloptions) as option
where c.relnamespace = to_regnamespace($1) and c.relkind = 'r'
union all
select t.relname || ': ' || pg_get_indexdef(i.indexrelid) || case when i.indisvalid then '' else ' (invalid)' end
from pg_index i
join pg_class t on t.oid = i.indrelid
where t.relnamespace = to_regnamespace($1)
  and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)
union all
select c.relname || ': trigger ' || t.tgname
from pg_trigger t
join pg_class c on c.oid = t.tgrelid
where c.relnamespace = to_regnamespace($1) and not t.tgisinternal
union all
select c.relname || ': relation of kind ' || c.relkind::text
from pg_class c
where c.relnamespace = to_regnamespace($1) and c.relkind not in ('r', 'i')
union all
select p.proname || ': function'
from pg_proc p
where p.pronamespace = to_regnamespace($1)`;
