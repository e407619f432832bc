import type { JSX } from 'preact';
import type { ExecutionDetail, FailedItem } from '../../api/answers.js';
import { Instant } from '../../time/instant.js';
import { Table, type Column } from '../../ui/table.js';
import { PagedPart } from './paged-part.js';

const COLUMNS: readonly Column<FailedItem>[] = [
  { head: 'Item', cell: ({ itemKey }) => <code>{itemKey}</code> },
  { head: 'Of', cell: ({ itemsName }) => itemsName },
  { head: 'Error', grows: true, cell: ({ error }) => `${error.errorClass ?? 'Error'}: ${error.message ?? ''}` },
  { head: 'Failed', cell: ({ failedAt }) => <Instant at={failedAt} /> },
];

/** Items that failed for good while the others went on. */
export const FailedItems = ({ path, of }: { readonly path: string; readonly of: ExecutionDetail }): JSX.Element => (
  <PagedPart<FailedItem> of={of} title="Failed items" path={`${path}/items`}>
    {(items) => (
      <Table
        caption="Failed items"
        columns={COLUMNS}
        rows={items}
        keyOf={(each) => `${each.itemsName} ${each.itemKey}`}
      />
    )}
  </PagedPart>
);
