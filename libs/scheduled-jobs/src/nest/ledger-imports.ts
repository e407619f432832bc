import type { ModulesContainer } from '@nestjs/core';
import { MODULE_OPTIONS } from './tokens.js';

/** How often the application imports `ScheduledJobsModule.forRoot()`; 0 also when only the bare class is imported. */
export const ledgerImports = (modules: ModulesContainer): number =>
  [...modules.values()].filter((module) => module.providers.has(MODULE_OPTIONS)).length;

/** What is wrong with an application without one. */
export const NO_LEDGER =
  'This application does not import ScheduledJobsModule.forRoot(). Import it in the root module.';

/** What is wrong with an application with several: its timer, worker and jobs would all be there twice. */
export const severalLedgers = (imports: number): string =>
  `ScheduledJobsModule.forRoot() is imported ${imports} times. Import it once, in the root module; it is global.`;
