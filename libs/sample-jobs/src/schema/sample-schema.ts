import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SAMPLE_TABLES } from './sample-tables.js';

/** Any number that no other lock of the database uses. */
const LOCK_ID = 771_204;

/**
 * Makes the tables of the samples and their first rows while the application starts. Every statement may run again, and
 * the lock lets processes that start together do it one after the other. A real application would use migrations.
 */
@Injectable()
export class SampleSchema implements OnModuleInit {
  constructor(private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    await this.dataSource.transaction('READ COMMITTED', async (manager) => {
      await manager.query('select pg_advisory_xact_lock($1)', [LOCK_ID]);
      for (const statement of SAMPLE_TABLES) await manager.query(statement);
    });
  }
}
