import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { DiscoveryService, ModulesContainer, NestFactory } from '@nestjs/core';
import { InvalidOptionsError } from '../../core/errors.js';
import type { DeclaredJob } from '../../core/job/declared-job.js';
import type { JobDefaults } from '../../core/job/resolve-job.js';
import { JobExplorer } from '../../nest/jobs/job-explorer.js';
import { ledgerImports, NO_LEDGER, severalLedgers } from '../../nest/ledger-imports.js';
import { resolveModuleOptions } from '../../nest/options/module-options.js';
import { GIVEN_OPTIONS } from '../../nest/tokens.js';

/** What the module says for all jobs, as far as it can be known. */
interface PreviewedOptions {
  readonly defaults: JobDefaults;
  /** The PostgreSQL schema of the ledger; null = not known. */
  readonly schema: string | null;
  /** A factory gives the options, and it was not called. */
  readonly areMadeLater: boolean;
  readonly problems: readonly string[];
}

/** An application as far as it can be known without making any of its objects. */
export interface PreviewedApplication extends PreviewedOptions {
  readonly declared: readonly DeclaredJob[];
  /** Decorated methods that were loaded with it and belong to no provider, such as `Reports.daily`. */
  readonly unprovided: readonly string[];
}

const NOTHING_KNOWN = { defaults: { timeZone: null, overrides: {} }, schema: null } as const;

/**
 * Reads the jobs of an application in Nest's preview mode: modules are scanned and dependencies checked, but no provider is
 * made, no factory called and no connection opened. Jobs of instances that only a factory can make stay unseen.
 *
 * @throws what Nest throws, such as for a dependency that no module provides.
 */
export async function previewApplication(
  module: Type | DynamicModule,
  logger: LoggerService,
): Promise<PreviewedApplication> {
  const app = await NestFactory.createApplicationContext(module, { preview: true, abortOnError: false, logger });
  try {
    const modules = app.get(ModulesContainer);
    const explorer = new JobExplorer(new DiscoveryService(modules));
    return { declared: explorer.explore(), unprovided: explorer.unprovided(), ...previewedOptions(modules) };
  } finally {
    await app.close();
  }
}

function previewedOptions(modules: ModulesContainer): PreviewedOptions {
  const imports = ledgerImports(modules);
  const found = [...modules.values()].flatMap(({ providers }) => providers.get(GIVEN_OPTIONS) ?? []);
  const problems = imports === 0 ? [NO_LEDGER] : imports > 1 ? [severalLedgers(imports)] : [];
  // A provider with a value has neither class nor factory.
  const areMadeLater = imports > 0 && found[0]?.metatype !== null;
  if (found[0] === undefined || areMadeLater) return { ...NOTHING_KNOWN, areMadeLater, problems };
  return { ...staticOptions(found[0].instance, problems), areMadeLater };
}

function staticOptions(given: unknown, problems: readonly string[]): Omit<PreviewedOptions, 'areMadeLater'> {
  try {
    const { timeZone, jobs: overrides, schema } = resolveModuleOptions(given);
    return { defaults: { timeZone, overrides }, schema, problems };
  } catch (error) {
    if (!(error instanceof InvalidOptionsError)) throw error;
    // Jobs need not be blamed for lack of a zone when another option is wrong.
    const { timeZone } = given as { readonly timeZone?: unknown };
    const defaults = { timeZone: typeof timeZone === 'string' ? timeZone : null, overrides: {} };
    return { defaults, schema: null, problems: [...problems, ...error.problems] };
  }
}
