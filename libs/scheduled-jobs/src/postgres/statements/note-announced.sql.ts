import type { LedgerNames } from '../ledger-names.js';

/**
 * Notes that an alert was announced, so that nobody takes it again.
 *
 * Fenced: no: it only says what has happened.
 * Locks: the alert.
 * Index: alerts_pk.
 * Params: $1 id.
 */
export const noteAnnouncedSql = ({ table }: LedgerNames): string => `
update ${table.alerts} set announce_at = null where id = $1`;
