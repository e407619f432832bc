import type { INestApplication } from '@nestjs/common';
import {
  BackgroundJob,
  JobsClient,
  PermanentError,
  RetryLaterError,
  ScheduledJob,
  type JobRun,
} from 'nestjs-scheduled-jobs';
import { JobsTestKit, JobsTestModule, LedgerExpectationError } from 'nestjs-scheduled-jobs/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually, gate } from '../support/engine.js';
import { createApp, freshSchema, jobsModule } from '../support/jobs-app.js';

const MIDNIGHT = '2026-08-14T00:00:00Z';
const seen: string[] = [];
const [begun, mayEnd] = [gate(), gate()];
const schema = freshSchema();

class Jobs {
  constructor(private readonly jobs: JobsClient) {}

  @ScheduledJob('0 4 * * *', { name: 'daily', timeZone: 'UTC', retry: { backoff: ['1m', '5m'], jitter: 'none' } })
  async daily(run: JobRun): Promise<{ readonly of: string | null }> {
    seen.push(run.key);
    await this.jobs.enqueue('mail', undefined, { key: `of-${run.period}` });
    return { of: run.period };
  }

  @BackgroundJob({ name: 'mail', queue: 'mail' })
  mail(run: JobRun): void {
    seen.push(run.key);
  }

  @BackgroundJob({ name: 'endless' })
  async endless(run: JobRun): Promise<void> {
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
  }

  @BackgroundJob({ name: 'parcel', queue: 'mail' })
  async parcel(run: JobRun): Promise<void> {
    begun.open();
    await Promise.race([
      mayEnd.passed,
      new Promise((_, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason as Error))),
    ]);
  }

  @BackgroundJob({ name: 'one-by-one', concurrencyKey: () => 'ledger' })
  oneByOne(): void {}

  @BackgroundJob({ name: 'later' })
  later(): void {
    throw new RetryLaterError('not yet', { retryAfter: 7_200 });
  }
}
Reflect.defineMetadata('design:paramtypes', [JobsClient], Jobs);

let database: TestDatabase;
let app: INestApplication;
let kit: JobsTestKit;
let client: JobsClient;

beforeAll(async () => {
  database = await createDatabase();
  const queues = { mail: { rate: '1/h' as const } };
  const root = jobsModule({
    url: database.url,
    providers: [Jobs],
    imports: [JobsTestModule.at(MIDNIGHT)],
    jobs: { worker: true, queues, schema },
  });
  app = await createApp(root);
  await app.init();
  kit = app.get(JobsTestKit);
  client = app.get(JobsClient);
});

afterAll(async () => {
  await app.close();
  await database.drop();
});

/** What a handler enqueues may end before the handler does. */
const byKey = <T extends { readonly key: string }>(reports: readonly T[]): readonly T[] =>
  reports.toSorted((a, b) => (a.key < b.key ? -1 : 1));

beforeEach(async () => {
  await kit.reset(MIDNIGHT);
  seen.length = 0;
});

describe('the clock of a test', () => {
  it('stands still, moves on and never goes back', () => {
    expect(kit.clock.now).toEqual(new Date(MIDNIGHT));
    kit.clock.advance('90m');
    expect(kit.clock.now).toEqual(new Date('2026-08-14T01:30:00Z'));
    kit.clock.set('2026-08-15T00:00:00+02:00');
    expect(() => kit.clock.set(MIDNIGHT)).toThrow('cannot go back from 2026-08-14T22:00:00.000Z');
    expect(() => kit.clock.set('2026-08-16')).toThrow('a time with an offset');
    expect(() => kit.clock.advance('1 h')).toThrow('such as "5m", got "1 h"');
  });
});

describe('runDue', () => {
  it('runs nothing before its time, then the period and what its handler enqueues', async () => {
    kit.clock.set('2026-08-14T03:59:59Z');
    expect(await kit.runDue()).toEqual([]);
    kit.clock.advance('1s');
    expect(byKey(await kit.runDue())).toMatchObject([
      { key: 'daily:2026-08-14', attempt: 1, outcome: 'succeeded', error: null },
      { key: 'mail:of-2026-08-14' },
    ]);
    expect(seen).toEqual(['daily:2026-08-14', 'mail:of-2026-08-14']);
    const fourOClock = new Date('2026-08-14T04:00:00Z');
    await kit.expectLedger([
      { key: 'daily:2026-08-14', state: 'succeeded', result: { of: '2026-08-14' }, scheduledFor: fourOClock },
      { key: 'mail:of-2026-08-14', state: 'succeeded', trigger: 'enqueue', runAt: null },
    ]);
    expect(await client.get('daily:2026-08-14')).toMatchObject({ createdAt: fourOClock, firstStartedAt: fourOClock });
  });

  it('catches up after an outage', async () => {
    kit.clock.set('2026-08-15T00:00:00Z');
    await kit.runDue();
    kit.clock.set('2026-08-17T12:00:00Z');
    expect((await kit.tick())?.inserted).toBe(1);
    expect((await client.completeness()).missingPeriods).toBe(0);
  });

  it('leaves a retry until its backoff has passed', async () => {
    kit.fail('daily', new Error('503'), { times: 2 });
    kit.clock.set('2026-08-14T04:00:00Z');
    expect(await kit.runDue()).toMatchObject([{ outcome: 'failed', error: { message: '503' } }]);
    expect(await kit.runDue()).toEqual([]);
    kit.clock.advance('1m');
    await kit.runDue();
    kit.clock.advance('5m');
    expect(byKey(await kit.runDue())).toMatchObject([{ attempt: 3, outcome: 'succeeded' }, { job: 'mail' }]);
  });

  it('leaves what a handler puts off, and what its queue does not let through', async () => {
    await client.enqueue('later', undefined, { key: 'a' });
    await client.enqueue('mail', undefined, { key: 'b' });
    await client.enqueue('mail', undefined, { key: 'c' });
    expect((await kit.runDue()).map(({ key }) => key).toSorted()).toEqual(['later:a', 'mail:b']);
    await client.pause('later', { reason: 'maintenance' });
    kit.clock.advance('1h');
    expect((await kit.runDue()).map(({ key }) => key)).toEqual(['mail:c']);
  });

  it('overlooks nothing whose claim has closed its queue since it looked', async () => {
    type Look = (...asked: unknown[]) => Promise<unknown>;
    const { testLedger } = kit as unknown as { readonly testLedger: { due: Look } };
    const due = testLedger.due.bind(testLedger);
    const looks = vi.spyOn(testLedger, 'due');
    looks.mockImplementationOnce(async (...asked) => {
      const found = await due(...asked);
      await begun.passed;
      return found;
    });
    looks.mockImplementationOnce((...asked) => {
      mayEnd.open();
      return due(...asked);
    });
    await client.enqueue('parcel', undefined, { key: 'a' });
    expect(await kit.runDue()).toMatchObject([{ key: 'parcel:a', outcome: 'succeeded' }]);
    looks.mockRestore();
  });

  it('overlooks nothing that is just being given its slot', async () => {
    const counts = new Set<number>();
    for (let round = 0; round < 50; round++) {
      await kit.reset(MIDNIGHT);
      kit.fail('daily', new Error('503'));
      kit.clock.set('2026-08-14T04:00:00Z');
      counts.add((await kit.runDue()).length);
    }
    expect([...counts]).toEqual([1]);
  });

  it('runs all that waits for one slot, one after the other', async () => {
    const items = Array.from({ length: 40 }, (_, n) => ({ payload: null, key: `n${n}` }));
    await client.enqueueMany('one-by-one', items);
    expect(await kit.runDue()).toHaveLength(40);
  });

  it('names what does not end', async () => {
    await client.enqueue('endless', undefined, { key: 'x' });
    // On a busy machine it may not run yet when the time is over; it is handed back then, and runs again.
    const complaint = () => kit.runDue({ within: '200ms' }).then(() => 'none', String);
    await expect.poll(complaint).toContain('There still is due work: "endless:x" runs.');
    await expect(kit.runDue({ within: '1 s' })).rejects.toThrow('within must be a duration');
  });
});

describe('fail', () => {
  it('fails for good with an error that cannot help', async () => {
    kit.fail('mail', new PermanentError('no such address'));
    await client.enqueue('mail', undefined, { key: 'a' });
    await kit.runDue();
    await kit.expectLedger([{ key: 'mail:a', state: 'failed', attempts: 1, errorClass: 'PermanentError' }]);
    expect(seen).toEqual([]);
  });

  it('refuses jobs that there are not, and other numbers', () => {
    expect(() => kit.fail('daly', new Error('x'))).toThrow('Did you mean "daily"?');
    expect(() => kit.fail('daily', new Error('x'), { times: 0 })).toThrow('from 1 to 1000, got 0');
  });
});

describe('expectLedger', () => {
  it('lists every difference', async () => {
    kit.fail('mail', new PermanentError('no such address'));
    await client.enqueue('mail', undefined, { key: 'a' });
    await client.enqueue('later', undefined, { key: 'b' });
    await kit.runDue();
    const refused = kit.expectLedger([{ key: 'mail:a', state: 'succeeded', attempts: 2 }, { key: 'mail:c' }]);
    await expect(refused).rejects.toThrow(LedgerExpectationError);
    await expect(refused).rejects.toMatchObject({
      differences: [
        'mail:a: state is "failed", expected "succeeded" (no such address)',
        'mail:a: attempts is 1, expected 2',
        'mail:c: is expected, but not in the ledger',
        'later:b: is in the ledger (retrying), but not expected',
      ],
    });
  });

  it('finds an empty ledger after a reset', async () => {
    await client.enqueue('mail', undefined, { key: 'a' });
    expect(await kit.ledger()).toHaveLength(1);
    await kit.reset();
    await kit.expectLedger([]);
  });
});

describe('reset', () => {
  it('leaves a ledger alone that an application outside of tests has used, unless it is forced to', async () => {
    await client.enqueue('later');
    const real = await createApp(jobsModule({ url: database.url, jobs: { schema } }));
    await real.init();
    await eventually(async () => (await client.instances()).length > 0, { what: 'the note of the application' });
    await real.close();
    await expect(kit.reset()).rejects.toThrow(
      /^Cannot empty the ledger for a test:\n- an application that is no test has used the schema "\w+" of this database, at \S+Z as \S+\. Give the tests/,
    );
    expect(await kit.ledger()).toHaveLength(1);
    await kit.reset(MIDNIGHT, { force: true });
    await kit.reset(MIDNIGHT);
    expect(await kit.ledger()).toEqual([]);
  });
});

describe('an application under test', () => {
  it('leaves nothing open', async () => {
    const own = await createDatabase();
    const before = process.getActiveResourcesInfo();
    const root = jobsModule({ url: own.url, providers: [Jobs], imports: [JobsTestModule.at(MIDNIGHT)] });
    const closing = await createApp(root);
    await closing.init();
    closing.get(JobsTestKit).clock.set('2026-08-14T04:00:00Z');
    expect(await closing.get(JobsTestKit).runDue()).toHaveLength(2);
    await closing.close();
    const opened = () => process.getActiveResourcesInfo().length - before.length;
    await eventually(() => opened() <= 0, { withinMs: 2_000, what: 'the end of sockets and timers' });
    await own.drop();
  });
});
