import type pg from 'pg';
import {
  describeSchemaSql,
  type SchemaLineRow,
} from '../../libs/scheduled-jobs/src/postgres/statements/describe-schema.sql.js';

/** Everything a schema holds, as text that is the same wherever and whenever it is taken. */
export async function schemaPicture(client: pg.Client, schema: string): Promise<string> {
  const { rows } = await client.query<SchemaLineRow>(describeSchemaSql(), [schema]);
  return rows
    .map(({ relation, line }, index) => {
      const isFirst = relation !== rows[index - 1]?.relation;
      const head = isFirst ? `\n${line.startsWith('column ') ? 'table ' : ''}${relation}\n` : '';
      return `${head}  ${line.replace(/^column /, '')}\n`;
    })
    .join('')
    .trimStart();
}
