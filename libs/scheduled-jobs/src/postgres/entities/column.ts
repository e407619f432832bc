import type { EntitySchemaColumnOptions } from 'typeorm';

type ColumnType = 'bigint' | 'int' | 'smallint' | 'real' | 'text' | 'boolean' | 'jsonb' | 'json' | 'timestamptz';

// A host may read big integers as numbers; ids are strings everywhere.
const AS_TEXT = {
  to: (value: unknown): unknown => value,
  from: (value: string | number | bigint | null): string | null => (value === null ? null : value.toString()),
};

/** A column of a read model, with its name in the database. */
export const column = (
  type: ColumnType,
  name: string,
  options: Partial<EntitySchemaColumnOptions> = {},
): EntitySchemaColumnOptions => ({ type, name, ...(type === 'bigint' ? { transformer: AS_TEXT } : {}), ...options });

/** A column that can be null. */
export const optional = (type: ColumnType, name: string): EntitySchemaColumnOptions =>
  column(type, name, { nullable: true });

/** A column of the primary key. */
export const primary = (type: ColumnType, name: string): EntitySchemaColumnOptions =>
  column(type, name, { primary: true });
