import type { EntityManager } from 'typeorm';
import type { ItemKey } from '../core/job/run-items.js';
import type { FailedItemsPage, ItemKeyStore, ItemsOfRun } from '../core/ports/item-key-store.js';
import { sessionWithin } from './database/session-within.js';
import type { LedgerNames } from './ledger-names.js';
import { storeFrozenItemsSql } from './statements/store-frozen-items.sql.js';
import { takeFailedItemsSql } from './statements/take-failed-items.sql.js';
import { takeFrozenItemsSql, type FrozenItemRow, type ItemKeyRow } from './statements/take-frozen-items.sql.js';

/** The keys of frozen sets and of failed items. */
export class PostgresItemKeyStore implements ItemKeyStore<EntityManager> {
  private readonly sql;

  constructor(names: LedgerNames) {
    this.sql = {
      store: storeFrozenItemsSql(names),
      takeStored: takeFrozenItemsSql(names),
      takeFailed: takeFailedItemsSql(names),
    };
  }

  async store(of: ItemsOfRun, keys: readonly ItemKey[], tx: EntityManager): Promise<number> {
    const [row] = await this.query<{ readonly position: number }>(tx, this.sql.store, of, [
      keys.map(String),
      keys.map((key) => typeof key === 'number'),
    ]);
    return row?.position ?? 0;
  }

  async takeStored(
    of: ItemsOfRun,
    { after, size }: { readonly after: number; readonly size: number },
    tx: EntityManager,
  ): Promise<{ readonly keys: readonly ItemKey[]; readonly after: number }> {
    const rows = await this.query<FrozenItemRow>(tx, this.sql.takeStored, of, [after, size]);
    return { keys: rows.map(itemKey), after: rows.at(-1)?.position ?? after };
  }

  async takeFailed(of: ItemsOfRun, page: FailedItemsPage, tx: EntityManager): Promise<readonly ItemKey[]> {
    const { upToToken, after, among, size } = page;
    return (await this.query<ItemKeyRow>(tx, this.sql.takeFailed, of, [upToToken, after, among, size])).map(itemKey);
  }

  private async query<Row>(
    tx: EntityManager,
    sql: string,
    { executionId, itemsName }: ItemsOfRun,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return (await sessionWithin(tx)).query<Row>(sql, [executionId, itemsName, ...values]);
  }
}

const itemKey = ({ item_key: key, is_number: isNumber }: ItemKeyRow): ItemKey => (isNumber ? Number(key) : key);
