import type { INestApplicationContext } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { StoreUnavailableError } from '../../core/errors.js';
import { JobCatalog } from '../../nest/jobs/job-catalog.js';
import { JobsClient } from '../../nest/client/jobs-client.js';
import type { ResolvedModuleOptions } from '../../nest/options/module-options.js';
import { BareLedgerModule, openForOperator } from '../../nest/open-for-operator.js';
import { DATA_SOURCE, MODULE_OPTIONS, STORES } from '../../nest/tokens.js';
import type { Stores } from '../../postgres/create-stores.js';
import { DEFAULT_SCHEMA } from '../../postgres/ledger-names.js';
import { ownDataSource } from '../../postgres/own-data-source.js';
import { checkSchema } from '../../postgres/schema-version.js';
import type { CommandContext } from '../command.js';
import { findApplication, nameTheApplication } from './find-application.js';
import { databaseText } from '../output/database-text.js';
import { LineLogger } from '../output/line-logger.js';
import { loadModule } from './load-module.js';
import { text, type Given } from '../arguments/option.js';
import { UsageError } from '../arguments/usage-error.js';

const POSTGRES_URL = /^postgres(?:ql)?:\/\//;
const NOWHERE = 'Where is the ledger? Set DATABASE_URL, give --database-url, or name the application.';

/** Where the ledger is, for commands that need the code of the jobs. */
export const APPLICATION_OPTIONS = {
  app: text(
    '<file>',
    'the built file of the root module; default NESTJS_SCHEDULED_JOBS_APP, else package.json names it',
  ),
};

/** Where the ledger is, for all other commands. */
export const LEDGER_OPTIONS = {
  ...APPLICATION_OPTIONS,
  'database-url': text('<url>', 'the database in place of an application; default DATABASE_URL where none is named'),
  schema: text('<name>', `the schema of the ledger in that database; default ${DEFAULT_SCHEMA}`),
};

type Place = Given<typeof APPLICATION_OPTIONS> & Partial<Given<typeof LEDGER_OPTIONS>>;

/** An open ledger, with the application around it where one was named. */
export interface OpenLedger {
  readonly client: JobsClient;
  readonly stores: Stores;
  readonly dataSource: DataSource;
  readonly options: ResolvedModuleOptions;
  readonly catalog: JobCatalog;
  /** False = nothing but the database is known: no job, no option of the module. */
  readonly isApplication: boolean;
}

interface Opening {
  /** The command needs the code of the jobs: a database alone does not do. */
  readonly needsJobs?: boolean;
  /** The command works on a schema that does not fit, or on none. */
  readonly anySchema?: boolean;
}

/**
 * Opens the ledger for the work of a command and closes it. An application is started for that; the library in it registers
 * nothing, ticks nothing, claims nothing.
 * @throws UsageError when nobody says where the ledger is; SchemaVersionError when it does not fit this package;
 * StoreUnavailableError when it cannot be reached, and Error when it does not let us in.
 */
export async function withLedger<T>(
  { place, context, ...opening }: Opening & { readonly place: Place; readonly context: CommandContext },
  work: (ledger: OpenLedger) => Promise<T>,
): Promise<T> {
  const opened = await open(place, context, opening.needsJobs === true);
  try {
    const ledger = ledgerIn(opened);
    if (opening.anySchema !== true) await checkSchema(ledger.dataSource, { schema: ledger.options.schema });
    return await work(ledger);
  } finally {
    context.progress.end();
    await opened.close();
  }
}

interface Opened {
  readonly app: INestApplicationContext;
  readonly isApplication: boolean;
  readonly close: () => Promise<void>;
}

async function open(place: Place, context: CommandContext, needsJobs: boolean): Promise<Opened> {
  const { app, schema, 'database-url': url } = place;
  if (url !== undefined && app !== undefined) throw new UsageError('Give either --app or --database-url.');
  const logger = new LineLogger(context.log);
  const file = url === undefined ? findApplication(app, context) : null;
  if (file !== null) {
    if (schema !== undefined) throw new UsageError('--schema goes with --database-url: an application knows its own.');
    return openedApplication(await openForOperator(await loadModule(file, context.folder), logger));
  }
  if (needsJobs) throw new UsageError(`This needs the code of the jobs. ${nameTheApplication('with --app')}`);
  const database = url ?? context.environment['DATABASE_URL'] ?? '';
  if (database === '') throw new UsageError(`${NOWHERE} ${nameTheApplication('with --app')}`);
  // The value is not shown: it carries a password.
  if (!POSTGRES_URL.test(database)) throw new UsageError('The URL of the database must start with "postgres://".');
  const source = url === undefined ? 'DATABASE_URL' : '--database-url';
  return openDatabase({ url: database, source, schema: schema ?? DEFAULT_SCHEMA }, logger);
}

const openedApplication = (app: INestApplicationContext): Opened => ({
  app,
  isApplication: true,
  close: () => app.close(),
});

interface NamedDatabase {
  readonly url: string;
  /** What has named it. */
  readonly source: string;
  readonly schema: string;
}

async function openDatabase({ url, source, schema }: NamedDatabase, logger: LineLogger): Promise<Opened> {
  const named = `${databaseText(url)}, which ${source} names`;
  const dataSource = await ownDataSource(url, `open the ledger of ${named}`).catch((error: unknown) => {
    if (error instanceof StoreUnavailableError) throw error;
    throw new Error(`Cannot open ${named}:`, { cause: error });
  });
  try {
    const app = await openForOperator(BareLedgerModule.around({ dataSource, schema }), logger);
    const close = async (): Promise<void> => {
      await app.close();
      await dataSource.destroy();
    };
    return { app, isApplication: false, close };
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

const ledgerIn = ({ app, isApplication }: Opened): OpenLedger => ({
  client: app.get(JobsClient),
  stores: app.get<Stores>(STORES),
  dataSource: app.get<DataSource>(DATA_SOURCE, { strict: false }),
  options: app.get<ResolvedModuleOptions>(MODULE_OPTIONS, { strict: false }),
  catalog: app.get(JobCatalog),
  isApplication,
});
