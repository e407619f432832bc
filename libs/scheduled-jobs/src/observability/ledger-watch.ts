import { Inject, Injectable } from '@nestjs/common';
import { MINUTE_MS } from '../core/duration.js';
import type { LedgerMeasures } from '../core/ports/ledger-meter.js';
import type { ScheduleSummary } from '../core/ports/ledger-reader.js';
import type { Completeness } from '../core/schedule/ledger-completeness.js';
import { JobsClient } from '../nest/client/jobs-client.js';
import type { QueueView } from '../nest/client/queues.js';
import { STORES } from '../nest/tokens.js';
import type { Stores } from '../postgres/create-stores.js';
import { Cached } from './cached.js';
import { OBSERVABILITY_OPTIONS, type ResolvedObservability } from './observability-options.js';

/** How the ledger stands, for metrics and health alike. */
export interface LedgerState extends LedgerMeasures {
  readonly queues: readonly QueueView[];
  /** Those that have not been renamed. */
  readonly schedules: readonly ScheduleSummary[];
}

const COMPLETENESS_FOR_MS = 5 * MINUTE_MS;
/** More than a schedule of every second makes between two looks. */
const PERIODS_LOOKED_AT = 1_000;

/** Reads the state of the ledger for whoever asks, and seldom: scrapes and probes must not become a load. */
@Injectable()
export class LedgerWatch {
  private readonly states: Cached<LedgerState>;
  private readonly completenesses: Cached<Completeness>;

  constructor(
    @Inject(STORES) private readonly stores: Stores,
    private readonly jobs: JobsClient,
    @Inject(OBSERVABILITY_OPTIONS) options: ResolvedObservability,
  ) {
    const { clock } = stores;
    this.states = new Cached(() => this.read(), { forMs: options.cacheMs, clock });
    this.completenesses = new Cached(() => this.jobs.completeness({ limit: PERIODS_LOOKED_AT }), {
      forMs: COMPLETENESS_FOR_MS,
      clock,
    });
  }

  /** @throws StoreUnavailableError when the database cannot be reached. */
  state(): Promise<LedgerState> {
    return this.states.get();
  }

  /**
   * Whether the newest 1,000 periods of each schedule are on record, looked at every five minutes.
   * @throws StoreUnavailableError when the database cannot be reached.
   */
  completeness(): Promise<Completeness> {
    return this.completenesses.get();
  }

  private async read(): Promise<LedgerState> {
    const now = this.stores.clock.boundNow();
    const measures = await this.stores.meter.measure(now);
    const queues = await this.jobs.queues();
    const schedules = await this.stores.ledger.schedules(now);
    return { ...measures, queues, schedules: schedules.filter(({ renamedTo }) => renamedTo === null) };
  }
}
