import type pg from 'pg';

interface Named {
  readonly relation: string;
  readonly line: string;
}

const COLUMNS = `
  select c.relname as relation,
    '  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when l.collname is not null and l.collname <> 'default' then ' collate "' || l.collname || '"' else '' end
    || case when a.attnotnull then ' not null' else '' end
    || case a.attidentity when 'a' then ' generated always as identity' else '' end
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_collation l on l.oid = a.attcollation
  where c.relnamespace = to_regnamespace($1) and c.relkind = 'r'
  order by c.relname, a.attnum`;

const CONSTRAINTS = `
  select c.relname as relation, '  constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid, true) as line
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where c.relnamespace = to_regnamespace($1) and k.contype <> 'n'
  order by c.relname, k.conname`;

const OPTIONS = `
  select c.relname as relation, '  with (' || array_to_string(array(select unnest(c.reloptions) order by 1), ', ') || ')' as line
  from pg_class c
  where c.relnamespace = to_regnamespace($1) and c.relkind = 'r' and c.reloptions is not null
  order by c.relname`;

const INDEXES = `
  select t.relname as relation, replace(pg_get_indexdef(i.indexrelid), ' ' || quote_ident($1) || '.', ' ') as line
  from pg_index i
  join pg_class t on t.oid = i.indrelid
  join pg_class x on x.oid = i.indexrelid
  where t.relnamespace = to_regnamespace($1)
    and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)
  order by t.relname, x.relname`;

const OTHERS = `
  select c.relname as relation,
    case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else c.relkind::text end
    || ' ' || c.relname as line
  from pg_class c
  where c.relnamespace = to_regnamespace($1) and c.relkind not in ('r', 'i')
  union all
  select p.proname, 'function ' || p.proname from pg_proc p where p.pronamespace = to_regnamespace($1)
  union all
  select t.typname, 'type ' || t.typname from pg_type t
  where t.typnamespace = to_regnamespace($1) and t.typtype in ('e', 'd')
  order by 1`;

/** Everything a schema holds, as text that is the same wherever and whenever it is taken. */
export async function schemaPicture(client: pg.Client, schema: string): Promise<string> {
  const lines = async (statement: string): Promise<readonly Named[]> =>
    (await client.query<Named>(statement, [schema])).rows;
  const columns = await lines(COLUMNS);
  const details = [columns, await lines(CONSTRAINTS), await lines(OPTIONS)];
  const indexes = await lines(INDEXES);
  const tables = [...new Set(columns.map(({ relation }) => relation))].map((table) => {
    const body = details.flatMap((of) => of.filter(({ relation }) => relation === table).map(({ line }) => line));
    const own = indexes.filter(({ relation }) => relation === table).map(({ line }) => `${line}\n`);
    return `table ${table}\n${body.join('\n')}\n${own.join('')}`;
  });
  const others = await lines(OTHERS);
  return `${tables.join('\n')}\n${others.map(({ line }) => line).join('\n')}\n`;
}
