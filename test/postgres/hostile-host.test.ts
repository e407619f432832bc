import pg from 'pg';
import { DefaultNamingStrategy, type DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Stores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import { Database } from '../../libs/scheduled-jobs/src/postgres/database/database.js';
import { ledgerEntities } from '../../libs/scheduled-jobs/src/postgres/entities/ledger-entities.js';
import { QueueEntity } from '../../libs/scheduled-jobs/src/postgres/entities/queue-entities.js';
import { ExecutionEntity, WorkEntity } from '../../libs/scheduled-jobs/src/postgres/entities/execution-entities.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, newExecution, T0 } from '../support/ledger.js';
import { everySecond, scheduledJob } from '../support/schedules.js';

const ledgerOf = useLedger({ schema: 'order' });

class ShoutingNames extends DefaultNamingStrategy {
  override tableName(name: string, given?: string): string {
    return given ?? `TBL_${name}`;
  }
  override columnName(name: string, given: string | undefined, prefixes: string[]): string {
    return given ?? [...prefixes, name].join('__').toUpperCase();
  }
}

const { builtins } = pg.types;
const TYPES = { int8: builtins.INT8, timestamptz: builtins.TIMESTAMPTZ, jsonb: builtins.JSONB, bool: builtins.BOOL };
const parsers = new Map(Object.values(TYPES).map((type) => [type, pg.types.getTypeParser(type)]));

let host: DataSource;
let stores: Stores;
beforeAll(async () => {
  vi.stubEnv('TZ', 'Asia/Kolkata');
  pg.types.setTypeParser(TYPES.timestamptz, () => 'not a date');
  pg.types.setTypeParser(TYPES.jsonb, () => 'not an object');
  pg.types.setTypeParser(TYPES.bool, () => 'not a boolean');
  host = await ledgerOf().connect({
    isolationLevel: 'SERIALIZABLE',
    parseInt8: true,
    namingStrategy: new ShoutingNames(),
    entities: [...ledgerEntities(ledgerOf().schema)],
    extra: {
      max: 1,
      options: '-c search_path= -c timezone=America/Mexico_City -c default_transaction_isolation=serializable',
    },
  });
  stores = ledgerOf().storesOf(host);
});
afterAll(() => {
  vi.unstubAllEnvs();
  for (const [type, parser] of parsers) pg.types.setTypeParser(type, parser);
  (pg.defaults as { parseInt8?: boolean }).parseInt8 = false;
});

describe('a host with one connection, SERIALIZABLE, parsers, names and a time zone of its own', () => {
  it('gets ids as strings, instants as dates, and JSON as values', async () => {
    const [inserted] = await stores.executions.insert(
      [newExecution({ key: 'job:1', payload: '{"a":1}', scheduledFor: after(-1) })],
      { tx: null, now: T0 },
    );
    expect(inserted).toEqual({ executionId: expect.any(String), key: 'job:1', created: true });
    const [claimed] = await stores.work.claim({
      workerId: 'w1',
      quotas: [{ queue: 'default', take: 1, start: 1 }],
      jobNames: ['job'],
      now: T0,
    });
    expect(claimed).toMatchObject({
      executionId: inserted!.executionId,
      leaseToken: expect.any(String),
      payload: { a: 1 },
      scheduledFor: after(-1),
      claimedAt: T0,
    });
    expect(await stores.work.heartbeat([{ ...claimed!, startedAt: T0 }], T0)).toEqual([
      { executionId: claimed!.executionId, leaseToken: claimed!.leaseToken, cancelRequested: false },
    ]);
    const recorded = await stores.transactions.runAndFinish(
      claimed!,
      async (tx) => {
        await stores.executions.insert([newExecution({ key: 'job:2' })], { tx, now: T0 });
        return attemptRecord(claimed!, { result: '{"done":true}' });
      },
      'w1',
    );
    expect(recorded.disposition).toBe('succeeded');
    expect(await stores.ledger.get('job:1', T0)).toMatchObject({
      state: 'succeeded',
      result: { done: true },
      finishedAt: after(1_000),
    });
    expect(await stores.ledger.find({ states: ['pending'] }, T0)).toMatchObject({ items: [{ key: 'job:2' }] });
  });

  it('ticks, registers and admits on that connection', async () => {
    await stores.schedules.register([scheduledJob({ name: 'a' })], T0);
    await stores.schedules.register([scheduledJob({ name: 'a', expression: '0 * * * * *' })], after(1));
    expect(await stores.schedules.tick({ jobNames: ['a'], limit: 1, now: after(2_000) }, everySecond())).toMatchObject({
      inserted: 2,
      failures: [],
    });
    await stores.executions.insert([newExecution({ jobName: 'a', concurrencyKey: 'k' })], { tx: null, now: T0 });
    expect(await stores.work.admit(null)).toBe(1);
  });

  it('writes and reads the same instants in any zone of the server and of the process, case 245', async () => {
    expect(new Date(T0).getTimezoneOffset()).toBe(-330);
    expect(await host.query('show timezone')).toEqual([{ TimeZone: 'America/Mexico_City' }]);
    await stores.executions.insert([newExecution({ key: 'job:1', scheduledFor: after(-1) })], { tx: null, now: T0 });
    await stores.work.claim({
      workerId: 'w1',
      quotas: [{ queue: 'default', take: 1, start: 1 }],
      jobNames: ['job'],
      now: T0,
    });
    const epochs = await ledgerOf().row(
      `select extract(epoch from scheduled_for)::float8 as scheduled_s, extract(epoch from lease_until)::float8 as lease_s
       from executions join work on execution_id = id where key = 'job:1'`,
    );
    expect(epochs).toEqual({ scheduled_s: after(-1).getTime() / 1000, lease_s: after(30_000).getTime() / 1000 });
    expect(await stores.ledger.get('job:1', T0)).toMatchObject({ scheduledFor: after(-1), leaseUntil: after(30_000) });
  });

  it('runs every transaction of its own READ COMMITTED', async () => {
    const isolation = [{ transaction_isolation: 'read committed' }];
    const show = 'show transaction_isolation';
    expect(await new Database(host).transaction('look', (session) => session.query(show))).toEqual(isolation);
    const [inserted] = await stores.executions.insert([newExecution()], { tx: null, now: T0 });
    const [claimed] = await stores.work.claim({
      workerId: 'w1',
      quotas: [{ queue: 'default', take: 1, start: 1 }],
      jobNames: ['job'],
      now: T0,
    });
    expect(claimed!.executionId).toBe(inserted!.executionId);
    const nothing = { counts: { processed: 0, failed: 0, skipped: 0 }, checkpoint: null, failedItem: null };
    expect(
      await stores.transactions.run(
        claimed!,
        (tx) => tx.query(show),
        () => nothing,
      ),
    ).toEqual(isolation);
    await stores.transactions.runAndFinish(
      claimed!,
      async (tx) => {
        expect(await tx.query(show)).toEqual(isolation);
        return attemptRecord(claimed!);
      },
      'w1',
    );
  });

  it("answers inside the caller's transaction whatever its isolation", async () => {
    for (const isolation of ['SERIALIZABLE', 'REPEATABLE READ', 'READ COMMITTED'] as const) {
      await host.transaction(isolation, async (tx) => {
        const [first] = await stores.executions.insert([newExecution({ key: `job:${isolation}` })], { tx, now: T0 });
        const [again] = await stores.executions.insert([newExecution({ key: `job:${isolation}` })], { tx, now: T0 });
        expect(again).toEqual({ executionId: first!.executionId, key: `job:${isolation}`, created: false });
      });
    }
  });

  it('reads the ledger through its entities, and its schema builder leaves the tables alone', async () => {
    const [inserted] = await stores.executions.insert([newExecution({ key: 'job:1', priority: 3 })], {
      tx: null,
      now: T0,
    });
    const row = await host.getRepository(ExecutionEntity).findOneByOrFail({ key: 'job:1' });
    expect(row).toMatchObject({ id: inserted!.executionId, jobName: 'job', priority: 3 });
    for (const entity of host.entityMetadatas) await host.getRepository(entity.target).find();
    expect(await host.getRepository(WorkEntity).count()).toBe(1);
    expect(await host.getRepository(QueueEntity).find()).toEqual([]);
    expect(
      (await host.driver.createSchemaBuilder().log()).upQueries.filter(({ query }) => query.includes('"order"')),
    ).toEqual([]);
  });
});
