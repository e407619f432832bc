import { EntitySchema } from 'typeorm';
import type { Checkpoint } from '../../core/ports/run-transactions.js';
import type { LogLine } from '../../core/ports/work-store.js';
import { column, optional, primary } from './column.js';

/** How far a walk over items has come. */
export class CheckpointEntity {
  readonly executionId: string;
  readonly itemsName: string;
  readonly afterKey: string | number | null;
  readonly done: boolean;
  readonly failures: number;
  readonly leaseToken: string;
  readonly updatedAt: Date;
  readonly frozen: Exclude<Checkpoint['frozen'], undefined> | null;
}

/** An item that failed for good. */
export class ItemEntity {
  readonly executionId: string;
  readonly itemsName: string;
  readonly itemKey: string;
  readonly leaseToken: string;
  readonly failedAt: Date;
  readonly errorClass: string;
  readonly errorCode: string | null;
  readonly errorMessage: string;
  readonly errorStack: string | null;
  readonly errorFingerprint: string;
  readonly isNumber: boolean;
}

/** A key of a frozen set that is still to be handled. */
export class FrozenItemEntity {
  readonly executionId: string;
  readonly itemsName: string;
  readonly position: number;
  readonly itemKey: string;
  readonly isNumber: boolean;
}

/** A finished step. */
export class StepEntity {
  readonly executionId: string;
  readonly stepName: string;
  readonly leaseToken: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly result: unknown;
}

/** A log line of a run. */
export class LogEntity {
  readonly executionId: string;
  readonly leaseToken: string;
  readonly lineNo: number;
  readonly loggedAt: Date;
  readonly level: LogLine['level'];
  readonly message: string;
  readonly fields: unknown;
}

const checkpoints = (schema: string) =>
  new EntitySchema<CheckpointEntity>({
    name: 'ScheduledJobsCheckpoint',
    target: CheckpointEntity,
    schema,
    tableName: 'checkpoints',
    synchronize: false,
    columns: {
      executionId: primary('bigint', 'execution_id'),
      itemsName: primary('text', 'items_name'),
      afterKey: optional('json', 'after_key'),
      done: column('boolean', 'done'),
      failures: column('int', 'failures'),
      leaseToken: column('bigint', 'lease_token'),
      updatedAt: column('timestamptz', 'updated_at'),
      frozen: optional('text', 'frozen'),
    },
  });

const items = (schema: string) =>
  new EntitySchema<ItemEntity>({
    name: 'ScheduledJobsItem',
    target: ItemEntity,
    schema,
    tableName: 'items',
    synchronize: false,
    columns: {
      executionId: primary('bigint', 'execution_id'),
      itemsName: primary('text', 'items_name'),
      itemKey: primary('text', 'item_key'),
      leaseToken: column('bigint', 'lease_token'),
      failedAt: column('timestamptz', 'failed_at'),
      errorClass: column('text', 'error_class'),
      errorCode: optional('text', 'error_code'),
      errorMessage: column('text', 'error_message'),
      errorStack: optional('text', 'error_stack'),
      errorFingerprint: column('text', 'error_fingerprint'),
      isNumber: column('boolean', 'is_number'),
    },
  });

const frozenItems = (schema: string) =>
  new EntitySchema<FrozenItemEntity>({
    name: 'ScheduledJobsFrozenItem',
    target: FrozenItemEntity,
    schema,
    tableName: 'frozen_items',
    synchronize: false,
    columns: {
      executionId: primary('bigint', 'execution_id'),
      itemsName: primary('text', 'items_name'),
      position: primary('int', 'position'),
      itemKey: column('text', 'item_key'),
      isNumber: column('boolean', 'is_number'),
    },
  });

const steps = (schema: string) =>
  new EntitySchema<StepEntity>({
    name: 'ScheduledJobsStep',
    target: StepEntity,
    schema,
    tableName: 'steps',
    synchronize: false,
    columns: {
      executionId: primary('bigint', 'execution_id'),
      stepName: primary('text', 'step_name'),
      leaseToken: column('bigint', 'lease_token'),
      startedAt: column('timestamptz', 'started_at'),
      finishedAt: column('timestamptz', 'finished_at'),
      result: optional('json', 'result'),
    },
  });

const logs = (schema: string) =>
  new EntitySchema<LogEntity>({
    name: 'ScheduledJobsLog',
    target: LogEntity,
    schema,
    tableName: 'logs',
    synchronize: false,
    columns: {
      executionId: primary('bigint', 'execution_id'),
      leaseToken: primary('bigint', 'lease_token'),
      lineNo: primary('int', 'line_no'),
      loggedAt: column('timestamptz', 'logged_at'),
      level: column('text', 'level'),
      message: column('text', 'message'),
      fields: optional('json', 'fields'),
    },
  });

/** The read models of what runs leave behind in a schema. */
export const runEntities = (schema: string): readonly EntitySchema[] => [
  checkpoints(schema),
  items(schema),
  frozenItems(schema),
  steps(schema),
  logs(schema),
];
