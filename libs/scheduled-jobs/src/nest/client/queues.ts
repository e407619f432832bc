import { Inject, Injectable } from '@nestjs/common';
import { InvalidRequestError } from '../../core/errors.js';
import { nearest } from '../../core/job/nearest-name.js';
import { shown } from '../../core/job/option-reader.js';
import type { QueueSummary } from '../../core/ports/queue-store.js';
import type { PauseResult } from '../../core/ports/suspension-store.js';
import type { Rate } from '../../core/queue/queue-limits.js';
import { rateText } from '../../core/queue/resolve-queues.js';
import type { Stores } from '../../postgres/create-stores.js';
import { JobCatalog } from '../jobs/job-catalog.js';
import type { ResolvedModuleOptions } from '../options/module-options.js';
import { operatorRequest, type OperatorOptions } from './operator-options.js';
import { MODULE_OPTIONS, STORES } from '../tokens.js';

/** One queue, its limits and what is in it. */
export interface QueueView extends Omit<QueueSummary, 'rate' | 'rateMs'> {
  /** Such as `50/s`; null = no limit. */
  readonly rate: Rate | null;
}

/** What operators do with queues, and what the start of the application says of them. */
@Injectable()
export class Queues {
  constructor(
    private readonly catalog: JobCatalog,
    @Inject(MODULE_OPTIONS) private readonly options: ResolvedModuleOptions,
    @Inject(STORES) private readonly stores: Stores,
  ) {}

  /** Puts the limits of the options in force; gives what is probably not meant. */
  async configure(): Promise<readonly string[]> {
    await this.stores.queues.configure(this.options.queueLimits);
    const used = this.usedByJobs();
    const claimed = (this.options.queues ?? []).map((name) => ({ name, option: 'worker.queues' }));
    const limited = this.options.queueLimits.map(({ name }) => ({ name, option: 'queues' }));
    return [...claimed, ...limited].flatMap(({ name, option }) =>
      used.includes(name)
        ? []
        : [`${option} names "${name}", which no job of this application uses.${meant(name, used)}`],
    );
  }

  async list(): Promise<readonly QueueView[]> {
    const queues = await this.stores.queues.list(this.usedByJobs(), this.stores.clock.boundNow());
    return queues.map(({ rate, rateMs, ...queue }) => ({
      ...queue,
      rate: rate === null || rateMs === null ? null : rateText(rate, rateMs),
    }));
  }

  async pause(queue: string, options: OperatorOptions): Promise<PauseResult> {
    const operation = `pause the queue ${shown(queue)}`;
    const request = operatorRequest(operation, options, this.stores.clock);
    await this.checkName(queue, operation);
    return this.stores.queues.pause(queue, request);
  }

  async resume(queue: string, options: OperatorOptions): Promise<PauseResult> {
    const operation = `resume the queue ${shown(queue)}`;
    const request = operatorRequest(operation, options, this.stores.clock);
    await this.checkName(queue, operation);
    return this.stores.queues.resume(queue, request);
  }

  /** A queue exists by being used: a misspelt one would be paused in vain. */
  private async checkName(queue: string, operation: string): Promise<void> {
    const used = this.usedByJobs();
    if (used.includes(queue)) return;
    const known = (await this.stores.queues.list(used, this.stores.clock.boundNow())).map(({ name }) => name);
    if (known.includes(queue)) return;
    // Plain JavaScript may hand in anything.
    const guess = typeof (queue as unknown) === 'string' ? meant(queue, known) : '';
    throw new InvalidRequestError(operation, [
      `no job of this application uses the queue ${shown(queue)}, and no execution is ready or running in it.${guess} To have it known all the same, name it in the option "queues"`,
    ]);
  }

  private usedByJobs(): readonly string[] {
    return [...new Set(this.catalog.definitions().map(({ queue }) => queue))];
  }
}

function meant(name: string, names: readonly string[]): string {
  const close = nearest(name, names);
  return close === null ? '' : ` Did you mean "${close}"?`;
}
