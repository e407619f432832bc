import type { INestApplication, Provider } from '@nestjs/common';
import { InvalidPayloadError, JobsClient } from 'nestjs-scheduled-jobs';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect } from 'vitest';
import { createDatabase, type TestDatabase } from './database.js';
import { createApp, freshSchema, jobsModule } from './jobs-app.js';

/** An application that neither ticks nor claims by itself, on a database of its own, for all tests of a file. */
export class ClientApp {
  readonly schema = freshSchema();
  app!: INestApplication;
  jobs!: JobsClient;
  dataSource!: DataSource;
  private database!: TestDatabase;

  constructor(providers: readonly Provider[]) {
    beforeAll(async () => {
      this.database = await createDatabase();
      this.app = await createApp(
        jobsModule({ url: this.url, providers, jobs: { schema: this.schema, scheduler: false } }),
      );
      await this.app.init();
      this.jobs = this.app.get(JobsClient);
      this.dataSource = this.app.get(DataSource);
    });
    afterAll(async () => {
      await this.app.close();
      await this.database.drop();
    });
  }

  get url(): string {
    return this.database.url;
  }

  /** How many executions there are. */
  async stored(): Promise<number> {
    const [row] = await this.dataSource.query<{ count: string }[]>(`select count(*) from ${this.schema}.executions`);
    return Number(row?.count);
  }
}

/** The error of an enqueue or trigger that must be refused. */
export async function refusal(enqueue: Promise<unknown>): Promise<InvalidPayloadError> {
  const error: unknown = await enqueue.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidPayloadError);
  return error as InvalidPayloadError;
}
