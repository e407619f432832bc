import {
  BackfillNotFoundError,
  BackgroundJob,
  InvalidQueryError,
  InvalidRequestError,
  ScheduledJob,
  Scheduler,
  UnknownJobError,
  Worker,
} from 'nestjs-scheduled-jobs';
import { describe, expect, it } from 'vitest';
import { ClientApp } from '../support/client-app.js';
import { eventually } from '../support/engine.js';

const HOUR_MS = 3_600_000;
const ran: string[] = [];

class Jobs {
  @BackgroundJob({ name: 'plain' })
  plain(): void {}

  @ScheduledJob('0 6 * * *', { name: 'daily', timeZone: 'Europe/Berlin' })
  daily({ key }: { readonly key: string }): void {
    ran.push(key);
  }

  @ScheduledJob('30 2 * * *', { name: 'night', timeZone: 'Europe/Berlin' })
  night(): void {}

  @ScheduledJob('* * * * * *', { name: 'secondly', timeZone: 'UTC', startAt: new Date(Date.now() - 2 * HOUR_MS) })
  secondly(): void {}

  @ScheduledJob('0 6 * * *', { name: 'resting', timeZone: 'UTC', disabled: true })
  resting(): void {}
}

const client = new ClientApp([Jobs]);
const why = { reason: 'the import was late', actor: 'anna' };
const june = { from: '2025-06-10T00:00:00+02:00', to: new Date('2025-06-12T12:00:00Z'), ...why };

async function refusal(request: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await request.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidRequestError);
  return (error as InvalidRequestError).problems;
}

describe('backfill', () => {
  it('tells first what it would do, and writes nothing', async () => {
    expect(await client.jobs.backfill('daily', { ...june, dryRun: true })).toEqual({
      dryRun: true,
      occurrences: 3,
      first: 'daily:2025-06-10',
      last: 'daily:2025-06-12',
      toInsert: 3,
      existing: 0,
      pruned: 0,
    });
    expect(await client.stored()).toBe(0);
  });

  it('inserts the periods, and finds them there afterwards', async () => {
    const made = await client.jobs.backfill('daily', { ...june, order: 'newest-first' });
    expect(made).toEqual({
      state: 'open',
      dryRun: false,
      backfillId: made.backfillId,
      jobName: 'daily',
      from: new Date('2025-06-09T22:00:00Z'),
      to: june.to,
      order: 'newest-first',
      occurrences: 3,
      inserted: 3,
      existing: 0,
      pruned: 0,
      first: 'daily:2025-06-10',
      last: 'daily:2025-06-12',
      ...why,
      createdAt: expect.any(Date),
      canceledAt: null,
      canceledBy: null,
      cancelReason: null,
      states: { pending: 3 },
      done: false,
    });
    expect(await client.jobs.backfill('daily', { ...june, dryRun: true })).toMatchObject({ toInsert: 0, existing: 3 });
    expect(await client.jobs.backfill('daily', june)).toMatchObject({ occurrences: 3, inserted: 0, existing: 3 });
    expect(await client.jobs.get('daily:2025-06-11')).toMatchObject({
      trigger: 'backfill',
      actor: 'anna',
      backfillId: made.backfillId,
      priority: 100,
    });
    const { execution } = await client.jobs.trigger('plain');
    expect(await client.jobs.get(execution!.key)).toMatchObject({ backfillId: null });
  });

  it('is run by a worker and tells how far it has come', async () => {
    const range = { from: '2025-07-01T00:00:00Z', to: '2025-07-04T12:00:00Z', ...why };
    const { backfillId } = await client.jobs.backfill('daily', range);
    const worker = client.app.get(Worker);
    worker.start();
    const done = await eventually(async () => {
      const now = await client.jobs.getBackfill(backfillId);
      return now.done && now;
    });
    await worker.stop();
    expect(done).toMatchObject({ inserted: 4, states: { succeeded: 4 } });
    expect(ran.filter((key) => key.startsWith('daily:2025-07'))).toEqual(
      [1, 2, 3, 4].map((day) => `daily:2025-07-0${day}`),
    );
  });

  it('is canceled with a reason, once', async () => {
    const range = { from: '2025-08-01T00:00:00Z', to: '2025-08-04T12:00:00Z', ...why };
    const { backfillId } = await client.jobs.backfill('daily', range);
    const canceled = await client.jobs.cancelBackfill(backfillId, { reason: 'wrong month', actor: 'bob' });
    expect(canceled).toMatchObject({ canceledNow: 4, canceledBy: 'bob', states: { canceled: 4 }, done: true });
    const again = await client.jobs.cancelBackfill(backfillId, { reason: 'again' });
    expect(again).toEqual({ ...canceled, canceledNow: 0 });
    expect(await refusal(client.jobs.cancelBackfill(backfillId, { actor: '' } as never))).toHaveLength(2);
  });

  it('has one period for the night whose hour comes twice', async () => {
    const night = { from: '2025-10-25T20:00:00Z', to: '2025-10-26T20:00:00Z', ...why };
    const { occurrences, first } = await client.jobs.backfill('night', night);
    expect([occurrences, first]).toEqual([1, 'night:2025-10-26']);
  });

  it('takes a range without periods', async () => {
    const range = { from: '2025-06-10T10:00:00Z', to: '2025-06-10T11:00:00Z', ...why };
    const none = { occurrences: 0, first: null, last: null };
    expect(await client.jobs.backfill('daily', { ...range, dryRun: true })).toMatchObject({ ...none, toInsert: 0 });
    expect(await client.jobs.backfill('daily', range)).toMatchObject({ ...none, inserted: 0, done: true });
  });

  it('takes the present of a clock that is a little ahead for now', async () => {
    const soon = new Date(Date.now() + 50_000);
    const { to } = await client.jobs.backfill('daily', { from: new Date(Date.now() - HOUR_MS), to: soon, ...why });
    expect(to.getTime()).toBeLessThan(soon.getTime());
  });

  it('lists every mistake at once, before anything is written', async () => {
    const before = await client.stored();
    const wrong = { from: '2025-06-10', to: 7, order: 'random', dryRun: 'yes', actor: '', reason: 'x\u0000', pace: 1 };
    const problems = await refusal(client.jobs.backfill('daily', wrong as never));
    expect(problems).toHaveLength(7);
    for (const name of Object.keys(wrong)) expect(problems.join('\n')).toContain(name);
    expect(await client.stored()).toBe(before);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['daily', { to: new Date(Date.now() + 2 * HOUR_MS) }, 'to must not be in the future'],
    ['daily', { from: '2025-07-01T00:00:00Z', to: '2025-06-30T00:00:00Z' }, 'to must not be before "from"'],
    ['daily', { from: '1899-12-31T23:59:59Z' }, 'from must be in the year 1900 or later'],
    ['daily', { from: new Date(Number.NaN) }, 'from must be a Date or a time with an offset'],
    ['daily', { reason: undefined }, 'reason is required'],
    ['daily', { reason: 'x'.repeat(1_001) }, 'reason is required: a text of 1 to 1000 characters'],
    ['daily', { actor: 'x'.repeat(201) }, 'actor must be a text of 1 to 200 characters'],
    ['resting', {}, 'the job is disabled'],
    ['plain', {}, 'it is a background job'],
    ['secondly', { from: '2025-06-10T00:00:00Z', to: '2025-06-11T03:46:40Z' }, 'the range has 100001 periods'],
  ])('refuses %s %o', async (job, options, problem) => {
    expect((await refusal(client.jobs.backfill(job, { ...june, ...options } as never))).join()).toContain(problem);
  });

  it('does not know other jobs and other backfills', async () => {
    await expect(client.jobs.backfill('dayly', june)).rejects.toThrow(UnknownJobError);
    for (const id of ['999999999', 'daily']) {
      await expect(client.jobs.getBackfill(id)).rejects.toThrow(BackfillNotFoundError);
      await expect(client.jobs.cancelBackfill(id, why)).rejects.toThrow(BackfillNotFoundError);
    }
  });
});

describe('completeness', () => {
  it('counts missing and overdue periods of one job or all', async () => {
    const before = await client.jobs.completeness({ job: 'secondly' });
    expect(before).toMatchObject({ missingPeriods: 0, schedules: [{ jobName: 'secondly', expected: 0 }] });
    expect(before.overduePeriods).toBeGreaterThanOrEqual(2 * 3_600 - 60);
    await client.app.get(Scheduler).runOnce();
    const all = await client.jobs.completeness({ limit: 100 });
    expect(all).toMatchObject({ missingPeriods: 0, overduePeriods: 0, unchecked: [] });
    expect(all.schedules.map(({ jobName, expected }) => [jobName, expected])).toContainEqual(['secondly', 100]);
    expect(all.schedules.map(({ jobName }) => jobName)).toEqual(['daily', 'night', 'resting', 'secondly']);
  });

  it('refuses what has no periods and limits that cannot work', async () => {
    await expect(client.jobs.completeness({ job: 'plain' })).rejects.toThrow(InvalidQueryError);
    await expect(client.jobs.completeness({ job: 'dayly' })).rejects.toThrow(UnknownJobError);
    for (const limit of [0, 100_001, 1.5]) {
      await expect(client.jobs.completeness({ limit })).rejects.toThrow('limit must be a whole number');
    }
    await expect(client.jobs.completeness({ jobs: 'daily' } as never)).rejects.toThrow('Did you mean "job"?');
  });
});
