import type { INestApplicationContext } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { InvalidOptionsError } from '../core/errors.js';
import { within } from '../engine/within.js';
import { Alerts } from './services/alerts.js';
import { EngineEvents } from './services/engine-events.js';
import { refuseStartInCommand } from './command-process.js';
import { JobCatalog } from './jobs/job-catalog.js';
import { ledgerImports, NO_LEDGER } from './ledger-imports.js';
import { Upkeep } from './services/upkeep.js';
import { NO_JOBS, Worker } from './services/worker.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** One press of Ctrl-C may arrive twice, from the terminal and from a launcher. */
const SAME_SIGNAL_MS = 1_000;
/** Longer than all waits of a forced stop. */
const FORCED_STOP_MS = 6_000;

type ContextArguments = Parameters<typeof NestFactory.createApplicationContext>;

/**
 * Starts an application without HTTP that claims and runs executions, also when its module says `worker: false`.
 *
 * SIGTERM and SIGINT stop it: it claims nothing more, lets running handlers go on for `shutdownTimeout` while all
 * services of the application are alive, closes the application and exits with code 0. Another signal, a second or more
 * later, forces the stop: the signals of all runs fire, what has not settled a second later is handed back, and the
 * process exits with code 1 within 6 s, without closing the application. A third one exits at once. `app.close()` stops
 * it without an exit.
 * @throws InvalidOptionsError when the application has no job; it and others for mistakes that prevent the start;
 * InvalidRequestError in the process of a command.
 */
export async function runWorker(
  module: ContextArguments[0],
  options?: ContextArguments[1],
): Promise<INestApplicationContext> {
  refuseStartInCommand();
  const app = await NestFactory.createApplicationContext(module, options);
  await refuseIdle(app);
  const worker = app.get(Worker);
  app.enableShutdownHooks([...SIGNALS], { useProcessExit: true });
  app.get(EngineEvents).subscribe(({ type }) => {
    if (type === 'worker.draining') forceOnNextSignal(worker);
  });
  worker.start();
  app.get(Upkeep).start();
  app.get(Alerts).start();
  return app;
}

/** A worker that can never do anything is a mistake of the deployment, and must not look like a success. */
async function refuseIdle(app: INestApplicationContext): Promise<void> {
  const hasLedger = ledgerImports(app.get(ModulesContainer)) > 0;
  if (hasLedger && app.get(JobCatalog).entries().size > 0) return;
  await app.close();
  throw new InvalidOptionsError([hasLedger ? NO_JOBS : NO_LEDGER]);
}

/** Whatever else happens, the process ends. */
function forceOnNextSignal(worker: Worker): void {
  let signalledMs = performance.now();
  let isForced = false;
  const onSignal = (): void => {
    if (performance.now() - signalledMs < SAME_SIGNAL_MS) return;
    if (isForced) return process.exit(1);
    isForced = true;
    signalledMs = performance.now();
    void within(FORCED_STOP_MS, worker.forceStop()).finally(() => process.exit(1));
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}
