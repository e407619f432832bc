import type { LedgerNames } from '../ledger-names.js';
import { ALERT_COLUMNS } from './alert-columns.js';

/**
 * Reads an alert.
 *
 * Fenced: no, it only reads.
 * Locks: none.
 * Index: alerts_pk.
 * Params: $1 id.
 */
export const findAlertSql = ({ table }: LedgerNames): string => `
select ${ALERT_COLUMNS} from ${table.alerts} a where a.id = $1::bigint`;
