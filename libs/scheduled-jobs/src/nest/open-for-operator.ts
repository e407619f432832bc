import {
  Module,
  type DynamicModule,
  type INestApplicationContext,
  type LoggerService,
  type Type,
} from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { InvalidOptionsError } from '../core/errors.js';
import { ledgerImports, NO_LEDGER } from './ledger-imports.js';
import { ScheduledJobsModule } from './scheduled-jobs.module.js';
import { OPERATING } from './tokens.js';

const BARE_DATA_SOURCE = Symbol('bare-data-source');

/** A ledger without an application. */
interface BareLedger {
  readonly dataSource: DataSource;
  readonly schema: string;
}

/**
 * Starts an application so that somebody can act through its `JobsClient`. The library in it registers no job, looks at no
 * schema and starts nothing, whatever the module says.
 * @throws InvalidOptionsError when the application has no ledger, and for mistakes in its options; what its start throws.
 */
export async function openForOperator(
  root: Type | DynamicModule,
  logger: LoggerService,
): Promise<INestApplicationContext> {
  const app = await NestFactory.createApplicationContext(OperatorModule.around(root), { abortOnError: false, logger });
  if (ledgerImports(app.get(ModulesContainer)) > 0) return app;
  await app.close();
  throw new InvalidOptionsError([NO_LEDGER]);
}

/** A root around the application that tells the library in it that somebody only acts through it. */
@Module({ providers: [{ provide: OPERATING, useValue: true }], exports: [OPERATING] })
class OperatorModule {
  static around(root: Type | DynamicModule): DynamicModule {
    return { module: OperatorModule, global: true, imports: [root] };
  }
}

/** An application that has no job and nothing but a ledger. The data source stays open when it is closed. */
@Module({})
export class BareLedgerModule {
  static around({ dataSource, schema }: BareLedger): DynamicModule {
    return {
      module: BareLedgerModule,
      global: true,
      imports: [ScheduledJobsModule.forRoot({ dataSource: BARE_DATA_SOURCE, schema, scheduler: false })],
      providers: [{ provide: BARE_DATA_SOURCE, useValue: dataSource }],
      exports: [BARE_DATA_SOURCE],
    };
  }
}
