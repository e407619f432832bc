/**
 * Tells whether a schema exists. Asked first, because creating one needs a right that the owner of an existing schema may
 * lack.
 *
 * Fenced: by the migration lock, which the migrator holds.
 * Locks: none.
 * Params: $1 name.
 */
export const findSchemaSql = (): string => 'select to_regnamespace(quote_ident($1::text)) is not null as found';
