import type { ComponentChildren, JSX } from 'preact';

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `end` for numbers. Default `start`. */
  readonly align?: 'start' | 'end';
  /** It takes the room that is left, and is cut off where there is none. */
  readonly grows?: boolean;
  /** A name, which may be long: it is broken into lines rather than cut off. */
  readonly isName?: boolean;
  /** It is left out on narrow screens. */
  readonly isMinor?: boolean;
}

interface TableProps<Row> {
  /** What the rows are, for those who cannot see the page. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** A table of equal rows; each of the first column's cells names its row. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>): JSX.Element {
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={caption}>
      <table class="table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" class={classOf(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.head} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf<Row>({ align = 'start', grows = false, isName = false, isMinor = false }: Column<Row>): string {
  const classes = { 'at-end': align === 'end', grows, name: isName, minor: isMinor };
  return Object.entries(classes)
    .flatMap(([name, isSet]) => (isSet ? [name] : []))
    .join(' ');
}
