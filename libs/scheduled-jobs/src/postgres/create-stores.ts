import type { DataSource, EntityManager } from 'typeorm';
import type { EventSink } from '../core/events/engine-event.js';
import type { AuditLog } from '../core/ports/audit-log.js';
import type { BackfillStore } from '../core/ports/backfill-store.js';
import type { ChangeReader } from '../core/ports/change-reader.js';
import type { Clock } from '../core/ports/clock.js';
import type { DeadLetterReader } from '../core/ports/dead-letter-reader.js';
import type { ExecutionStore } from '../core/ports/execution-store.js';
import type { JobReader } from '../core/ports/job-reader.js';
import type { KeeperThread } from '../core/ports/keeper-thread.js';
import type { AlertStore } from '../core/ports/alert-store.js';
import type { InstanceStore } from '../core/ports/instance-store.js';
import type { LeaseStore } from '../core/ports/lease-store.js';
import type { LedgerMeter } from '../core/ports/ledger-meter.js';
import type { LedgerReader } from '../core/ports/ledger-reader.js';
import type { OperationStore } from '../core/ports/operation-store.js';
import type { OverviewReader } from '../core/ports/overview-reader.js';
import type { PeriodReader } from '../core/ports/period-reader.js';
import type { PeriodRecords } from '../core/ports/period-records.js';
import type { ReplayStore } from '../core/ports/replay-store.js';
import type { QueueStore } from '../core/ports/queue-store.js';
import type { RetentionPreview, RetentionStore } from '../core/ports/retention-store.js';
import type { RequestStore } from '../core/ports/request-store.js';
import type { RunTransactions } from '../core/ports/run-transactions.js';
import type { ScheduleStore } from '../core/ports/schedule-store.js';
import type { StatisticsReader } from '../core/ports/statistics-reader.js';
import type { SuspensionStore } from '../core/ports/suspension-store.js';
import type { WakeUp } from '../core/ports/wake-up.js';
import type { WorkStore } from '../core/ports/work-store.js';
import { SYSTEM_CLOCK } from '../core/system-clock.js';
import { PostgresAuditLog } from './audit-log.js';
import { PostgresChangeReader } from './browse/change-reader.js';
import { PostgresDeadLetterReader } from './browse/dead-letter-reader.js';
import { PostgresJobReader } from './browse/job-reader.js';
import { PostgresOverviewReader } from './browse/overview-reader.js';
import { PostgresPeriodReader } from './browse/period-reader.js';
import { PostgresStatisticsReader } from './browse/statistics-reader.js';
import { Database } from './database/database.js';
import { PostgresExecutionStore } from './execution-store.js';
import { HintSender } from './hint-sender.js';
import { createKeeperThread } from './lease-thread/keeper-thread.js';
import { PostgresAlertStore } from './alert-store.js';
import { PostgresInstanceStore } from './instance-store.js';
import { PostgresLeaseStore } from './lease-store.js';
import { PostgresLedgerMeter } from './ledger-meter.js';
import { PostgresLedgerReader } from './ledger/ledger-reader.js';
import { ledgerNames } from './ledger-names.js';
import { listenerConnection } from './listener-connection.js';
import { PostgresOperationStore } from './operation-store.js';
import { PostgresReplayStore } from './replay-store.js';
import { PostgresQueueStore } from './queue-store.js';
import { PostgresRequestStore } from './request-store.js';
import { PostgresRetentionStore } from './retention-store.js';
import { PostgresRunTransactions } from './run-transactions.js';
import { PostgresBackfillStore } from './schedule/backfill-store.js';
import { PostgresPeriodRecords } from './schedule/period-records.js';
import { PostgresScheduleStore } from './schedule/schedule-store.js';
import { PostgresSuspensionStore } from './schedule/suspension-store.js';
import { PollingOnly, PostgresWakeUp } from './wake-up.js';
import { PostgresWorkStore } from './work-store.js';

/** How long a statement of an application that closes may go without an answer. */
const CLOSING_MS = 1_000;

/** The ledger in PostgreSQL, behind the ports of the core. */
export interface Stores {
  /** What facts are judged by. */
  readonly clock: Clock;
  readonly schedules: ScheduleStore;
  readonly suspensions: SuspensionStore;
  readonly executions: ExecutionStore<EntityManager>;
  readonly work: WorkStore;
  readonly transactions: RunTransactions<EntityManager>;
  readonly ledger: LedgerReader;
  readonly jobs: JobReader;
  readonly deadLetters: DeadLetterReader;
  readonly meter: LedgerMeter;
  readonly statistics: StatisticsReader;
  readonly overview: OverviewReader;
  readonly schedulePeriods: PeriodReader;
  readonly changes: ChangeReader;
  readonly periods: PeriodRecords;
  readonly backfills: BackfillStore;
  readonly leases: LeaseStore<EntityManager>;
  readonly operations: OperationStore;
  readonly replays: ReplayStore;
  readonly audit: AuditLog;
  readonly retention: RetentionStore & RetentionPreview;
  readonly queues: QueueStore;
  readonly alerts: AlertStore;
  readonly instances: InstanceStore;
  readonly requests: RequestStore;
  readonly wakeUp: WakeUp;
  readonly keeperThread: KeeperThread;
}

/** How the stores reach the ledger. */
export interface StoresOptions {
  readonly schema: string;
  readonly emit: EventSink;
  /** Where to listen for hints: a URL, null = as the data source connects, false = not at all. */
  readonly listenUrl: string | false | null;
  /** Default the system's. */
  readonly clock?: Clock;
}

/**
 * Makes the stores over an initialized data source. Nothing connects before it is used.
 * @throws InvalidOptionsError when the schema's name cannot be one.
 */
export function createStores(dataSource: DataSource, options: StoresOptions): Stores {
  const names = ledgerNames(options.schema);
  const database = new Database(dataSource);
  const work = new PostgresWorkStore(names, database, options.emit);
  return {
    clock: options.clock ?? SYSTEM_CLOCK,
    schedules: new PostgresScheduleStore(names, database, options.emit),
    suspensions: new PostgresSuspensionStore(names, database),
    executions: new PostgresExecutionStore(names, database, new HintSender(dataSource, database, names)),
    work,
    transactions: new PostgresRunTransactions(names, dataSource, database),
    ledger: new PostgresLedgerReader(names, database),
    jobs: new PostgresJobReader(names, database),
    deadLetters: new PostgresDeadLetterReader(names, database),
    meter: new PostgresLedgerMeter(names, database, dataSource),
    statistics: new PostgresStatisticsReader(names, database),
    overview: new PostgresOverviewReader(names, database),
    schedulePeriods: new PostgresPeriodReader(names, database),
    changes: new PostgresChangeReader(names, database),
    periods: new PostgresPeriodRecords(names, database),
    backfills: new PostgresBackfillStore(names, database, { work, emit: options.emit }),
    leases: new PostgresLeaseStore(names, database),
    operations: new PostgresOperationStore(names, database, { work, emit: options.emit }),
    replays: new PostgresReplayStore(names, database),
    audit: new PostgresAuditLog(names, database),
    retention: new PostgresRetentionStore(names, database),
    queues: new PostgresQueueStore(names, database),
    alerts: new PostgresAlertStore(names, database),
    instances: new PostgresInstanceStore(names, database, new Database(dataSource, CLOSING_MS)),
    requests: new PostgresRequestStore(names, database),
    wakeUp:
      options.listenUrl === false
        ? new PollingOnly()
        : new PostgresWakeUp({
            connection: listenerConnection(dataSource, options.listenUrl),
            channel: names.channel,
            emit: options.emit,
          }),
    keeperThread: createKeeperThread({
      connection: listenerConnection(dataSource, null),
      schema: names.schema,
      emit: options.emit,
    }),
  };
}
