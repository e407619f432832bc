/** Characters of the JSON of a page. */
const MAX_PAGE = 1_000_000;

/** The items of a page, and the row behind which the next one goes on; null = nothing is left. */
export interface BoundedPage<Row, Item> {
  readonly items: readonly Item[];
  readonly last: Row | null;
}

/**
 * A page of rows of which one more was asked for. Errors, logs and results may be long: a page of them ends early, with at
 * least one item, where it would become longer than a megabyte.
 */
export function boundedPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  item: (row: Row) => Item,
): BoundedPage<Row, Item> {
  const items: Item[] = [];
  let length = 0;
  for (const row of rows.slice(0, limit)) {
    const next = item(row);
    length += JSON.stringify(next).length;
    if (items.length > 0 && length > MAX_PAGE) break;
    items.push(next);
  }
  return { items, last: items.length < rows.length ? (rows[items.length - 1] ?? null) : null };
}
