import { EntitySchema } from 'typeorm';
import type { AlertKind } from '../../core/alert/alert.js';
import { column, optional, primary } from './column.js';

/** A fact that somebody should know of. */
export class AlertEntity {
  readonly id: string;
  readonly kind: AlertKind;
  readonly subject: string;
  readonly fact: string | null;
  readonly executionId: string | null;
  readonly runbook: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  readonly announceAt: Date | null;
}

/** Up to when facts of a kind were judged. */
export class AlertWatchEntity {
  readonly kind: AlertKind;
  readonly subject: string;
  readonly watchedUntil: Date;
}

/** A process that was seen within the last day. */
export class InstanceEntity {
  readonly id: string;
  readonly roles: readonly string[];
  readonly workerId: string | null;
  readonly version: string;
  readonly definitionsDigest: string;
  readonly zoneData: string | null;
  readonly startedAt: Date;
  readonly seenAt: Date;
  readonly stoppedAt: Date | null;
}

const alerts = (schema: string) =>
  new EntitySchema<AlertEntity>({
    name: 'ScheduledJobsAlert',
    target: AlertEntity,
    schema,
    tableName: 'alerts',
    synchronize: false,
    columns: {
      id: primary('bigint', 'id'),
      kind: column('text', 'kind'),
      subject: column('text', 'subject'),
      fact: optional('text', 'fact'),
      executionId: optional('bigint', 'execution_id'),
      runbook: optional('text', 'runbook'),
      detail: column('json', 'detail'),
      openedAt: column('timestamptz', 'opened_at'),
      closedAt: optional('timestamptz', 'closed_at'),
      announceAt: optional('timestamptz', 'announce_at'),
    },
  });

const alertWatches = (schema: string) =>
  new EntitySchema<AlertWatchEntity>({
    name: 'ScheduledJobsAlertWatch',
    target: AlertWatchEntity,
    schema,
    tableName: 'alert_watches',
    synchronize: false,
    columns: {
      kind: primary('text', 'kind'),
      subject: primary('text', 'subject'),
      watchedUntil: column('timestamptz', 'watched_until'),
    },
  });

const instances = (schema: string) =>
  new EntitySchema<InstanceEntity>({
    name: 'ScheduledJobsInstance',
    target: InstanceEntity,
    schema,
    tableName: 'instances',
    synchronize: false,
    columns: {
      id: primary('text', 'id'),
      roles: column('text', 'roles', { array: true }),
      workerId: optional('text', 'worker_id'),
      version: column('text', 'version'),
      definitionsDigest: column('text', 'definitions_digest'),
      zoneData: optional('text', 'zone_data'),
      startedAt: column('timestamptz', 'started_at'),
      seenAt: column('timestamptz', 'seen_at'),
      stoppedAt: optional('timestamptz', 'stopped_at'),
    },
  });

/** The read models of alerts and instances in a schema. */
export const alertEntities = (schema: string): readonly EntitySchema[] => [
  alerts(schema),
  alertWatches(schema),
  instances(schema),
];
