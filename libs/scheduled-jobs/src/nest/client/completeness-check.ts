import { Inject, Injectable } from '@nestjs/common';
import { InvalidQueryError } from '../../core/errors.js';
import { OptionReader } from '../../core/job/option-reader.js';
import { ledgerCompleteness, type Completeness } from '../../core/schedule/ledger-completeness.js';
import type { Stores } from '../../postgres/create-stores.js';
import { JobCatalog } from '../jobs/job-catalog.js';
import { STORES } from '../tokens.js';

const DEFAULT_LIMIT = 10_000;
const MAX_LIMIT = 100_000;

/** Which periods are looked at. */
export interface CompletenessOptions {
  /** One job. Default every schedule of the ledger, also those of other applications. */
  readonly job?: string;
  /** How many occurrences of each schedule are looked at, the newest up to its cursor, 1 … 100,000. Default 10,000. */
  readonly limit?: number;
}

/** Asks whether the ledger accounts for every period of its schedules. */
@Injectable()
export class CompletenessCheck {
  constructor(
    private readonly catalog: JobCatalog,
    @Inject(STORES) private readonly stores: Stores,
  ) {}

  /** @throws InvalidQueryError; UnknownJobError when neither the ledger nor this application knows the job. */
  async run(options: CompletenessOptions): Promise<Completeness> {
    const limit = limitOf(options);
    const { job } = options;
    const names = job === undefined ? await this.scheduleNames() : [job];
    const { periods, clock } = this.stores;
    const input = { periods, definitions: this.catalog.definitions(), limit, now: clock.boundNow() };
    const completeness = await ledgerCompleteness(names, input);
    const { schedules, unchecked } = completeness;
    if (job !== undefined && schedules.length + unchecked.length === 0) this.refuseWithoutSchedule(job);
    return completeness;
  }

  private async scheduleNames(): Promise<readonly string[]> {
    return (await this.stores.ledger.schedules(this.stores.clock.boundNow())).map(({ scheduleName }) => scheduleName);
  }

  /** A schedule of this application that nobody has registered yet has no periods, and so none that are missing. */
  private refuseWithoutSchedule(job: string): void {
    if (this.catalog.get(job).schedule !== null) return;
    throw new InvalidQueryError([`"${job}" is a background job: it has no periods`]);
  }
}

function limitOf(options: CompletenessOptions): number {
  const problems: string[] = [];
  const reader = new OptionReader(options, '', problems);
  reader.allowOnly(['job', 'limit']);
  const limit = reader.integer('limit', DEFAULT_LIMIT, { min: 1, max: MAX_LIMIT });
  if (problems.length > 0) throw new InvalidQueryError(problems);
  return limit;
}
