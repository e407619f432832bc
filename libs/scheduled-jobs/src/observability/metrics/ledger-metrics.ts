import type { Gauge, Registry } from 'prom-client';
import { SECOND_MS } from '../../core/duration.js';
import type { Completeness } from '../../core/schedule/ledger-completeness.js';
import type { Worker } from '../../nest/services/worker.js';
import { inTime } from '../in-time.js';
import type { LedgerState, LedgerWatch } from '../ledger-watch.js';

type PromClient = typeof import('prom-client');
type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

/** A gauge with its samples; without labels it has one. */
interface Measure<T> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  readonly samples: (value: T) => readonly Sample[];
}

/** Counters must not be lost with a scrape that waits for the database; one that is in time finds what was read meanwhile. */
const PATIENCE_MS = 2_000;

const one = (value: number): readonly Sample[] => [[{}, value]];
const BREAKER_STATES = ['closed', 'half-open', 'open'] as const;

const STATE: readonly Measure<LedgerState>[] = [
  {
    name: 'queue_ready',
    help: 'Executions that could run now, counted up to 10,000.',
    labelNames: ['queue'],
    samples: ({ queues }) => queues.map(({ name, ready }) => [{ queue: name }, ready]),
  },
  {
    name: 'queue_running',
    help: 'Executions that a worker holds, counted up to 10,000.',
    labelNames: ['queue'],
    samples: ({ queues }) => queues.map(({ name, running }) => [{ queue: name }, running]),
  },
  {
    name: 'queue_oldest_ready_age_seconds',
    help: 'How long the oldest execution that could run has waited; 0 = none waits.',
    labelNames: ['queue'],
    samples: ({ queues }) =>
      queues.map(({ name, oldestReadyMs }) => [{ queue: name }, (oldestReadyMs ?? 0) / SECOND_MS]),
  },
  {
    name: 'queue_paused',
    help: '1 = the queue is paused.',
    labelNames: ['queue'],
    samples: ({ queues }) => queues.map(({ name, pause }) => [{ queue: name }, Number(pause !== null)]),
  },
  {
    name: 'breaker_state',
    help: '1 = the breaker of the queue is in this state.',
    labelNames: ['queue', 'state'],
    samples: ({ queues }) =>
      queues.flatMap(({ name, breaker }) =>
        breaker === null
          ? []
          : BREAKER_STATES.map((state): Sample => [{ queue: name, state }, Number(breaker.state === state)]),
      ),
  },
  {
    name: 'backlog',
    help: 'Executions that cannot run yet, counted up to 10,000: delayed until a time, waiting for a slot of their key, held while their job is paused or nobody handles it.',
    labelNames: ['phase'],
    samples: ({ delayed, waiting, held }) =>
      Object.entries({ delayed, waiting, held }).map(([phase, { count }]) => [{ phase }, count]),
  },
  {
    name: 'dead_letters',
    help: 'Failures that nobody has acknowledged, counted up to 10,000.',
    samples: ({ deadLetters }) => one(deadLetters.count),
  },
  {
    name: 'cursor_lag_seconds',
    help: 'How long the next occurrence of a schedule has been due without a tick; 0 = none is due.',
    labelNames: ['job_name'],
    samples: ({ schedules }) =>
      schedules.map(({ jobName, behindMs }) => [{ job_name: jobName }, (behindMs ?? 0) / SECOND_MS]),
  },
  {
    name: 'instances',
    help: 'Processes that were seen within two minutes, by role.',
    labelNames: ['role'],
    samples: ({ instances }) => [
      [{ role: 'worker' }, instances.workers],
      [{ role: 'scheduler' }, instances.schedulers],
    ],
  },
];

const COMPLETENESS: readonly Measure<Completeness>[] = [
  {
    name: 'missing_periods',
    help: 'Periods that are neither on record nor left out, among the newest 1,000 of each schedule. Anything but 0 is a defect.',
    samples: ({ missingPeriods }) => one(missingPeriods),
  },
  {
    name: 'overdue_periods',
    help: 'Periods that a tick should have recorded by now, looked at every five minutes.',
    samples: ({ overduePeriods }) => one(overduePeriods),
  },
];

export interface LedgerMetricsDependencies {
  readonly client: PromClient;
  readonly registry: Registry;
  readonly watch: LedgerWatch;
  readonly worker: Worker;
}

/**
 * Registers gauges of how the ledger stands, read when somebody asks. They are the same in every process: rules take the
 * maximum, not the sum. When the database does not answer they are absent instead of old, and `ledger_up` is 0.
 */
export function registerLedgerMetrics({ client, registry, watch, worker }: LedgerMetricsDependencies): void {
  const gauge = gaugesIn(client, registry);
  for (const measure of STATE) gauge(measure, () => watch.state());
  for (const measure of COMPLETENESS) gauge(measure, () => watch.completeness());
  gauge({ name: 'ledger_up', help: '1 = the database answers.', samples: one }, () =>
    inTime(PATIENCE_MS, watch.state()).then(
      (state) => Number(state !== null),
      () => 0,
    ),
  );
  gauge({ name: 'worker_slots', help: 'Handlers that may run at the same time in this process.', samples: one }, () =>
    Promise.resolve(worker.slots),
  );
  gauge({ name: 'worker_slots_used', help: 'Handlers that run in this process.', samples: one }, () =>
    Promise.resolve(worker.runningCount),
  );
}

const gaugesIn =
  (client: PromClient, registry: Registry) =>
  <T>({ name, help, labelNames = [], samples }: Measure<T>, read: () => Promise<T>): Gauge =>
    new client.Gauge({
      name: `scheduled_jobs_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [registry],
      async collect() {
        const value = await inTime(PATIENCE_MS, read()).catch(() => null);
        // In one go: two scrapes at the same time must not mix.
        this.reset();
        if (labelNames.length === 0) this.remove(); // it would say 0
        for (const [labels, sample] of value === null ? [] : samples(value)) this.set(labels, sample);
      },
    });
