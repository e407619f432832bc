import { Module, type DynamicModule, type INestApplicationContext, type Type } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { MINUTE_MS } from '../core/duration.js';
import { InvalidOptionsError } from '../core/errors.js';
import { Alerts } from './services/alerts.js';
import { EngineEvents } from './services/engine-events.js';
import { ledgerImports, NO_LEDGER } from './ledger-imports.js';
import { overduePeriods } from './overdue-periods.js';
import { Scheduler } from './services/scheduler.js';
import { ONE_PASS } from './tokens.js';
import { Upkeep } from './services/upkeep.js';

/** What one pass did, over all its ticks. */
export interface TickReport {
  /** The database's time of the last tick. */
  readonly now: Date;
  /** Schedules whose cursor moved; one with a long backlog counts in each tick. */
  readonly schedules: number;
  /** Executions that were added. */
  readonly inserted: number;
  /** Executions that were added as skipped. */
  readonly skipped: number;
  /** Periods in skipped ranges that were added. */
  readonly leftOut: number;
  /** Schedules that stand still because their plan or insert failed; later passes try them again. */
  readonly failures: readonly { readonly job: string; readonly error: unknown }[];
  /** When the next period is due, by the database's clock; null = never. */
  readonly nextAt: Date | null;
  /** Periods of this application's schedules that should be on record by now; not those that a job's own function cannot name. */
  readonly overduePeriods: number;
  /** How long the pass took, milliseconds, without start and end of the application. */
  readonly durationMs: number;
}

type RootModule = Type | DynamicModule | Promise<DynamicModule>;
type ContextOptions = Parameters<typeof NestFactory.createApplicationContext>[1];

const NO_SCHEDULES =
  'This application has no scheduled job, so there is nothing to tick. Import the modules whose providers carry @ScheduledJob.';

/**
 * Makes one pass over the schedules of an application and closes it, for a process whose timer is somebody else's: a
 * Kubernetes CronJob, a systemd timer. Ticks until nothing is due; starts no loop and no worker, whatever the module
 * says. Any number of passes and of other instances may tick at the same time; one that is killed counts fully or not at
 * all.
 *
 * @throws InvalidOptionsError when the application has no scheduled job; it and others for mistakes that prevent the
 * start; StoreUnavailableError when the database cannot be reached.
 */
export async function runTick(module: RootModule, options?: ContextOptions): Promise<TickReport> {
  const app = await NestFactory.createApplicationContext(OnePassModule.around(module), options);
  try {
    return await pass(app);
  } finally {
    await app.close();
  }
}

/** A root around the application that tells the library in it to start nothing. */
@Module({ providers: [{ provide: ONE_PASS, useValue: true }], exports: [ONE_PASS] })
class OnePassModule {
  static around(module: RootModule): DynamicModule {
    return { module: OnePassModule, global: true, imports: [module] };
  }
}

async function pass(app: INestApplicationContext): Promise<TickReport> {
  if (ledgerImports(app.get(ModulesContainer)) === 0) throw new InvalidOptionsError([NO_LEDGER]);
  const startedMs = performance.now();
  const summary = await app.get(Scheduler).runOnce();
  if (summary === null) throw new InvalidOptionsError([NO_SCHEDULES]);
  await keepUp(app, 'upkeep', () => app.get(Upkeep).runOnce());
  await keepUp(app, 'alerts', () => app.get(Alerts).runOnce());
  const { now, schedules, inserted, skipped, leftOut, nextAt } = summary;
  return {
    now,
    schedules,
    inserted,
    skipped,
    leftOut,
    failures: summary.failures.map(({ jobName: job, error }) => ({ job, error })),
    nextAt,
    overduePeriods: await overduePeriods(app),
    durationMs: Math.round(performance.now() - startedMs),
  };
}

/** What goes wrong here is told, and left to the next pass: the periods are recorded. */
async function keepUp(app: INestApplicationContext, service: string, duties: () => Promise<unknown>): Promise<void> {
  try {
    await duties();
  } catch (error) {
    app.get(EngineEvents).emit({ type: 'service.failed', service, error, retryInMs: MINUTE_MS });
  }
}
