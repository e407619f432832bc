import type { EntitySchema } from 'typeorm';
import { ledgerNames } from '../ledger-names.js';
import { auditEntities } from './audit-entities.js';
import { alertEntities } from './alert-entities.js';
import { executionEntities } from './execution-entities.js';
import { queueEntities } from './queue-entities.js';
import { runEntities } from './run-entities.js';
import { scheduleEntities } from './schedule-entities.js';

/**
 * Read models of the ledger's tables, to be listed among the entities of a data source that wants to query them. Never
 * write through them: the rules of the ledger live in its statements. The schema builder leaves their tables alone.
 * @throws InvalidOptionsError when the schema's name cannot be one.
 */
export function ledgerEntities(schema: string): readonly EntitySchema[] {
  ledgerNames(schema);
  return [
    ...executionEntities(schema),
    ...scheduleEntities(schema),
    ...runEntities(schema),
    ...auditEntities(schema),
    ...alertEntities(schema),
    ...queueEntities(schema),
  ];
}
