import { EntitySchema } from 'typeorm';
import { column, optional, primary } from './column.js';

/** Limits, pause and breaker of a queue. Only queues that were ever limited or paused have a row. */
export class QueueEntity {
  readonly name: string;
  readonly concurrency: number | null;
  /** So many starts within `rateMs`. */
  readonly rate: number | null;
  readonly rateMs: number | null;
  readonly burst: number | null;
  readonly pausedAt: Date | null;
  readonly pausedBy: string | null;
  readonly pauseReason: string | null;
  readonly breaker: Readonly<Record<string, number>> | null;
  /** Null = its breaker is closed. */
  readonly openUntil: Date | null;
  readonly openings: number;
}

/** The read model of queues in a schema. */
export const queueEntities = (schema: string): readonly EntitySchema[] => [
  new EntitySchema<QueueEntity>({
    name: 'ScheduledJobsQueue',
    target: QueueEntity,
    schema,
    tableName: 'queues',
    synchronize: false,
    columns: {
      name: primary('text', 'name'),
      concurrency: optional('int', 'concurrency'),
      rate: optional('int', 'rate'),
      rateMs: optional('int', 'rate_ms'),
      burst: optional('int', 'burst'),
      pausedAt: optional('timestamptz', 'paused_at'),
      pausedBy: optional('text', 'paused_by'),
      pauseReason: optional('text', 'pause_reason'),
      breaker: optional('jsonb', 'breaker'),
      openUntil: optional('timestamptz', 'open_until'),
      openings: column('int', 'openings'),
    },
  }),
];
