import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  BackgroundJob,
  EngineEvents,
  InvalidOptionsError,
  runTick,
  ScheduledJob,
  Scheduler,
  SchemaVersionError,
  Worker,
  type EngineEvent,
} from 'nestjs-scheduled-jobs';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { freshSchema, jobsModule, type JobsAppOptions } from '../support/jobs-app.js';

const QUIET = { logger: false, abortOnError: false } as const;
/** So far in the past that only the newest periods are caught up. */
const startAt = new Date('2026-01-01T00:00:00Z');

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  await client.end();
  await database.drop();
});

class Minutely {
  @ScheduledJob('* * * * *', { name: 'minutely', startAt, catchUp: { window: '1h', limit: 30 } })
  run(): void {}
}

class Failing {
  @ScheduledJob('* * * * *', {
    name: 'failing',
    startAt,
    period: () => {
      throw new Error('no period today');
    },
  })
  run(): void {}
}

/** Sees what happens inside an application that is gone when the pass has ended. */
@Injectable()
class Witness implements OnApplicationShutdown {
  static events: EngineEvent[] = [];
  static shutdowns = 0;

  constructor(events: EngineEvents) {
    Witness.events = [];
    events.subscribe((event) => Witness.events.push(event));
  }

  onApplicationShutdown(): void {
    Witness.shutdowns += 1;
  }
}

const app = (options: Partial<JobsAppOptions> = {}) =>
  jobsModule({ url: database.url, providers: [Minutely, Witness], ...options });
const typesOf = (events: readonly EngineEvent[]) => new Set(events.map(({ type }) => type));

describe('runTick', () => {
  it('ticks until nothing is due, tells what all ticks did, and closes the application', async () => {
    const schema = freshSchema();
    const shutdowns = Witness.shutdowns;
    const report = await runTick(app({ jobs: { schema } }), QUIET);
    const { rows } = await client.query<{ count: number }>(`select count(*)::int from ${schema}.executions`);
    expect(report).toMatchObject({ inserted: rows[0]?.count, skipped: 0, failures: [], overduePeriods: 0 });
    expect(report.inserted).toBeGreaterThanOrEqual(30);
    expect(report.leftOut).toBeGreaterThan(100_000);
    expect(report.nextAt!.getTime() - report.now.getTime()).toBeLessThanOrEqual(60_000);
    expect(report.durationMs).toBeGreaterThanOrEqual(0);
    expect(Witness.shutdowns).toBe(shutdowns + 1);
  });

  it('starts no loop, no worker and no listener, whatever the module says, and leaves no timer', async () => {
    const scheduler = vi.spyOn(Scheduler.prototype, 'start');
    const worker = vi.spyOn(Worker.prototype, 'start');
    const timeouts = vi.spyOn(SchedulerRegistry.prototype, 'addTimeout');
    await runTick(app({ jobs: { scheduler: true, worker: true } }), QUIET);
    expect([scheduler, worker, timeouts].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
    expect(typesOf(Witness.events)).toContain('schedule.ticked');
    for (const type of ['scheduler.started', 'worker.started', 'listener.connected'] as const) {
      expect(typesOf(Witness.events)).not.toContain(type);
    }
    const sessions = `select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`;
    await expect.poll(async () => (await client.query(sessions)).rows).toHaveLength(1);
  });

  it('ticks once more where a pass has ended, and does nothing before the next period', async () => {
    const schema = freshSchema();
    const first = await runTick(app({ jobs: { schema } }), QUIET);
    const second = await runTick(app({ jobs: { schema } }), QUIET);
    const { rows } = await client.query<{ count: number }>(`select count(*)::int from ${schema}.executions`);
    expect(first.inserted + second.inserted).toBe(rows[0]?.count);
    expect(second.inserted).toBeLessThanOrEqual(1);
    expect(second.leftOut).toBe(0);
  });

  it('tells of a schedule that fails, and of its periods, and ticks the others', async () => {
    const report = await runTick(app({ providers: [Minutely, Failing, Witness] }), QUIET);
    expect(report.failures).toEqual([
      { job: 'failing', error: expect.objectContaining({ message: 'no period today' }) },
    ]);
    expect(report.inserted).toBeGreaterThanOrEqual(30);
  });

  it('does the upkeep as well, whose failure fails nothing', async () => {
    const schema = freshSchema();
    await runTick(app({ jobs: { schema } }), QUIET);
    expect(typesOf(Witness.events)).not.toContain('service.failed');
    await client.query(`alter table ${schema}.leases rename to no_leases`);
    const report = await runTick(app({ jobs: { schema } }), QUIET);
    expect(report.failures).toEqual([]);
    expect(Witness.events).toContainEqual(expect.objectContaining({ type: 'service.failed', service: 'upkeep' }));
  });

  it('refuses an application that has nothing to tick, and closes it', async () => {
    class Background {
      @BackgroundJob({ name: 'export' })
      run(): void {}
    }
    const shutdowns = Witness.shutdowns;
    const idle = runTick(app({ providers: [Background, Witness] }), QUIET);
    await expect(idle).rejects.toThrow(InvalidOptionsError);
    await expect(idle).rejects.toThrow('This application has no scheduled job, so there is nothing to tick.');
    expect(Witness.shutdowns).toBe(shutdowns + 1);
    @Module({})
    class WithoutLedger {}
    await expect(runTick(WithoutLedger, QUIET)).rejects.toThrow('does not import ScheduledJobsModule.forRoot()');
  });

  it('passes on what keeps the application from starting', async () => {
    await expect(runTick(app({ jobs: { migrations: 'check' } }), QUIET)).rejects.toThrow(SchemaVersionError);
  });

  it('takes a module that is made later', async () => {
    expect((await runTick(Promise.resolve(app()), QUIET)).schedules).toBeGreaterThan(0);
  });
});
