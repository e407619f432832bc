import { EntitySchema } from 'typeorm';
import type { AuditAction } from '../../core/execution/audit-action.js';
import { column, optional, primary } from './column.js';

/** What somebody did by hand. */
export class AuditEntity {
  readonly id: string;
  readonly at: Date;
  readonly action: AuditAction;
  readonly subject: string;
  readonly jobName: string | null;
  readonly executionId: string | null;
  readonly actor: string | null;
  readonly reason: string | null;
  readonly details: unknown;
}

/** The read model of the audit in a schema. */
export const auditEntities = (schema: string): readonly EntitySchema[] => [
  new EntitySchema<AuditEntity>({
    name: 'ScheduledJobsAudit',
    target: AuditEntity,
    schema,
    tableName: 'audit',
    synchronize: false,
    columns: {
      id: primary('bigint', 'id'),
      at: column('timestamptz', 'at'),
      action: column('text', 'action'),
      subject: column('text', 'subject'),
      jobName: optional('text', 'job_name'),
      executionId: optional('bigint', 'execution_id'),
      actor: optional('text', 'actor'),
      reason: optional('text', 'reason'),
      details: optional('json', 'details'),
    },
  }),
];
