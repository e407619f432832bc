import { IsEmail, IsString } from 'class-validator';
import {
  BackgroundJob,
  ExecutionNotFailedError,
  ExecutionNotFoundError,
  ExecutionNotReplayableError,
  InvalidPayloadError,
  InvalidQueryError,
  InvalidRequestError,
  ScheduledJob,
  UnknownJobError,
} from 'nestjs-scheduled-jobs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClientApp } from '../support/client-app.js';

class Mail {
  @IsEmail()
  readonly to!: string;
  @IsString()
  readonly token!: string;
}

class Jobs {
  @BackgroundJob({ name: 'mail', payload: Mail, concurrencyKey: (payload) => payload.to })
  mail(): void {}

  @BackgroundJob({ name: 'other', aliases: ['earlier'] })
  other(): void {}

  @ScheduledJob('0 6 * * *', { name: 'daily', timeZone: 'UTC', startAt: new Date('2026-01-01T00:00:00Z') })
  daily(): void {}
}

const client = new ClientApp([Jobs]);
const by = { actor: 'ann', reason: 'the server is back' };
const sql = (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  client.dataSource.query(text.replaceAll('@', `${client.schema}.`), values);

/** An execution that has ended. */
async function ended(key: string, state = 'failed', job = 'other'): Promise<string> {
  const { execution } = await client.jobs.enqueue(
    job,
    job === 'mail' ? { to: 'a@example.org', token: 'x' } : undefined,
    {
      key,
    },
  );
  const id = execution!.executionId;
  await sql('delete from @work where execution_id = $1', [id]);
  await sql(
    `insert into @outcomes (execution_id, state, reason, finished_at, error_fingerprint)
     values ($1, $2, case when $2 = 'skipped' then 'overlap' end, now(), 'f1')`,
    [id, state],
  );
  return id;
}

beforeEach(async () => {
  await sql('truncate @executions, @keys, @work, @outcomes, @audit');
});

describe('JobsClient.replay of one', () => {
  it('takes the key or the id, and brings an execution back that has ended', async () => {
    const id = await ended('1');
    expect(await client.jobs.replay('other:1', by)).toEqual({
      executionId: id,
      key: 'other:1',
      runAt: expect.any(Date),
    });
    expect(await client.jobs.get(id)).toMatchObject({ state: 'pending' });
    const second = await ended('2', 'canceled');
    expect(await client.jobs.retry(second, by)).toMatchObject({ key: 'other:2' });
  });

  it('is refused with the state and what to do', async () => {
    await ended('1', 'succeeded');
    const { execution } = await client.jobs.enqueue('other', undefined, { key: '2' });
    const refusalOf = (key: string) => client.jobs.replay(key, by).catch((error: unknown) => error);
    expect(await refusalOf('other:1')).toEqual(new ExecutionNotReplayableError('other:1', 'succeeded'));
    expect(await refusalOf(execution!.executionId)).toMatchObject({
      code: 'JOBS_EXECUTION_NOT_REPLAYABLE',
      state: 'pending',
      message: expect.stringContaining('It has not ended'),
    });
    expect(await refusalOf('other:none')).toEqual(new ExecutionNotFoundError('other:none'));
    expect(await client.jobs.replay('other:1', { ...by, force: true })).toMatchObject({ key: 'other:1' });
  });

  it('stores a corrected payload that the rules of the job accept, with the concurrency key that it gives', async () => {
    await ended('1', 'failed', 'mail');
    const wrong = { ...by, payload: { to: 'nobody', token: 'y' } };
    await expect(client.jobs.replay('mail:1', wrong)).rejects.toThrow(InvalidPayloadError);
    expect(await client.jobs.get('mail:1')).toMatchObject({ state: 'failed' });
    await client.jobs.replay('mail:1', { ...by, payload: { to: 'b@example.org', token: 'y' } });
    expect(await client.jobs.get('mail:1')).toMatchObject({
      state: 'pending',
      payload: { to: 'b@example.org', token: 'y' },
      concurrencyKey: 'key:b@example.org',
    });
    expect((await client.jobs.audit({ execution: 'mail:1' })).items).toMatchObject([
      { action: 'replay', ...by, details: { formerPayload: { to: 'a@example.org', token: '[redacted]' } } },
    ]);
  });

  it('finds the rules of a job that was renamed since', async () => {
    const id = await ended('1');
    await sql(`update @executions set job_name = 'earlier'`);
    await client.jobs.replay(id, { ...by, payload: { n: 1 } });
    expect(await client.jobs.get(id)).toMatchObject({ payload: { n: 1 }, jobName: 'earlier' });
  });

  it('tells every problem at once, before anything is written', async () => {
    await ended('1');
    const options = { reason: '', force: 'yes', paylaod: 1 } as never;
    await expect(client.jobs.replay('other:1', options)).rejects.toMatchObject({
      problems: [
        'paylaod is not an option. Did you mean "payload"?',
        expect.stringMatching(/^actor is required/),
        expect.stringMatching(/^reason is required/),
        expect.stringMatching(/^force must be true or false/),
      ],
    });
    await expect(client.jobs.replay('', by)).rejects.toThrow(InvalidRequestError);
    expect(await sql('select 1 from @audit')).toEqual([]);
  });

  it('is refused in the words of what was asked for', async () => {
    await ended('1', 'succeeded');
    await expect(client.jobs.replay('other:1', {} as never)).rejects.toThrow('Cannot replay "other:1"');
    await expect(client.jobs.retry('other:1', {} as never)).rejects.toThrow('Cannot retry "other:1"');
    await expect(client.jobs.retry('', by)).rejects.toThrow('Cannot retry ""');
    await expect(client.jobs.retry('other:1', by)).rejects.toThrow('is succeeded and cannot be executed once more.');
  });
});

describe('JobsClient.replay of many', () => {
  it('shows with dryRun what it would do, and changes nothing', async () => {
    await ended('1');
    await ended('2');
    await ended('3', 'canceled');
    expect(await client.jobs.replay({ job: 'other' }, { dryRun: true })).toEqual({
      dryRun: true,
      count: 2,
      groups: [{ job: 'other', fingerprint: 'f1', errorClass: null, count: 2, examples: ['other:2', 'other:1'] }],
    });
    const misspelt = client.jobs.replay({ job: 'other' }, { dryRun: true, limits: 1 } as never);
    await expect(misspelt).rejects.toMatchObject({ code: 'JOBS_INVALID_REQUEST' });
    expect(await sql('select 1 from @work')).toEqual([]);
  });

  it('refuses a job that nobody knows instead of replaying nothing', async () => {
    const misspelt = { job: 'othr' };
    await expect(client.jobs.replay(misspelt, { dryRun: true })).rejects.toThrow('Did you mean "other"?');
    await expect(client.jobs.replay(misspelt, by)).rejects.toThrow(UnknownJobError);
    expect(await client.jobs.replay({ job: 'other' }, by)).toMatchObject({ replayed: [], nextCursor: null });
  });

  it('goes on by the cursor of the same filter alone', async () => {
    for (const key of ['1', '2', '3']) await ended(key);
    const first = await client.jobs.replay({ job: 'other' }, { ...by, limit: 2, maxPerMinute: 6 });
    expect(first).toMatchObject({ dryRun: false, replayed: [{ key: 'other:1' }, { key: 'other:2' }], leftAlone: 0 });
    const cursor = first.nextCursor!;
    await expect(client.jobs.replay({ job: 'mail' }, { ...by, cursor })).rejects.toThrow(
      'cursor is not one of a replay with the same filter',
    );
    const second = await client.jobs.replay({ job: 'other' }, { ...by, limit: 2, maxPerMinute: 6, cursor });
    expect(second).toMatchObject({ replayed: [{ key: 'other:3' }], nextCursor: null });
    expect(second.replayed[0]!.runAt.getTime() - first.replayed[1]!.runAt.getTime()).toBe(10_000);
  });

  it.each([
    [{}, 'the filter is empty'],
    [undefined, 'the filter is empty'],
    [{ job: undefined }, 'the filter is empty'],
    [null, 'filter must be an object'],
    [{ jobs: 'other' }, 'filter.jobs is not an option. Did you mean "job"?'],
    [{ job: '' }, 'job must be a text'],
    [{ states: ['succeeded'] }, 'states must list some of failed, completed_with_errors, canceled, skipped'],
    [{ states: [] }, 'states must list'],
    [{ finishedFrom: 'today' }, 'finishedFrom must be an instant'],
  ])('refuses the filter %o', async (filter, problem) => {
    await ended('1');
    for (const options of [by, { dryRun: true }]) {
      await expect(client.jobs.replay(filter as never, options as never)).rejects.toMatchObject({
        code: 'JOBS_INVALID_REQUEST',
        message: expect.stringContaining(problem),
      });
    }
    expect(await sql('select 1 from @work')).toEqual([]);
  });

  it.each([
    [{ limit: 1_001 }, 'limit must be a whole number from 1 to 1000'],
    [{ maxPerMinute: 0 }, 'maxPerMinute must be a whole number from 1 to 60000'],
    [{ maxPerMinute: Number.NaN }, 'maxPerMinute must be'],
    [{ cursor: 'x' }, 'cursor is not one of'],
    [{ actor: undefined }, 'actor is required'],
  ])('refuses the options %o', async (options, problem) => {
    await expect(client.jobs.replay({ job: 'other' }, { ...by, ...options } as never)).rejects.toThrow(problem);
  });
});

describe('JobsClient.acknowledge', () => {
  it('takes a failure from the dead letters, until it is replayed', async () => {
    const id = await ended('1');
    await ended('2');
    expect((await client.jobs.deadLetters()).items.map(({ key }) => key)).toEqual(['other:2', 'other:1']);
    expect(await client.jobs.acknowledge('other:1', by)).toEqual({ acknowledged: ['other:1'], unchanged: [] });
    expect((await client.jobs.deadLetters({ job: 'other' })).items.map(({ key }) => key)).toEqual(['other:2']);
    expect(await client.jobs.get(id)).toMatchObject({
      state: 'failed',
      acknowledged: { at: expect.any(Date), actor: 'ann' },
    });
    expect((await client.jobs.replay({ job: 'other' }, by)).replayed.map(({ key }) => key)).toEqual(['other:2']);
    await client.jobs.replay(id, by);
    expect(await client.jobs.get(id)).toMatchObject({ state: 'pending', acknowledged: null });
  });

  it('tells of many what became of each', async () => {
    await ended('1');
    await ended('2', 'canceled');
    await ended('3');
    await client.jobs.acknowledge('other:3', { actor: 'bob', reason: 'known' });
    expect(await client.jobs.acknowledge(['other:1', 'other:2', 'other:3', 'other:none'], by)).toEqual({
      acknowledged: ['other:1'],
      unchanged: [
        { key: 'other:2', why: 'not-failed', state: 'canceled' },
        { key: 'other:3', why: 'acknowledged-before', state: 'failed' },
        { key: 'other:none', why: 'not-found', state: null },
      ],
    });
    expect(await client.jobs.get('other:3')).toMatchObject({ acknowledged: { actor: 'bob' } });
  });

  it('is refused for one that has not failed, for too many and for none', async () => {
    await ended('1', 'canceled');
    await expect(client.jobs.acknowledge('other:1', by)).rejects.toEqual(
      new ExecutionNotFailedError('other:1', 'canceled'),
    );
    await expect(client.jobs.acknowledge('other:none', by)).rejects.toThrow(ExecutionNotFoundError);
    await expect(client.jobs.acknowledge([], by)).rejects.toThrow('1 to 1000 keys');
    await expect(client.jobs.acknowledge(Array(1_001).fill('1'), by)).rejects.toThrow('1 to 1000 keys');
  });
});

describe('JobsClient.acknowledge by a filter', () => {
  it('looks first, takes them page by page, and leaves what is none alone', async () => {
    for (const key of ['1', '2', '3']) await ended(key);
    await ended('4', 'canceled');
    await ended('5', 'failed', 'mail');
    expect(await client.jobs.acknowledge({ job: 'other' }, { dryRun: true })).toMatchObject({
      dryRun: true,
      count: 3,
      groups: [{ job: 'other', fingerprint: 'f1', count: 3, examples: ['other:3', 'other:2', 'other:1'] }],
    });
    const first = await client.jobs.acknowledge({ job: 'other' }, { ...by, limit: 2 });
    expect(first).toMatchObject({ dryRun: false, acknowledged: ['other:1', 'other:2'], leftAlone: 0 });
    const rest = await client.jobs.acknowledge({ job: 'other' }, { ...by, cursor: first.nextCursor! });
    expect(rest).toEqual({ dryRun: false, acknowledged: ['other:3'], leftAlone: 0, nextCursor: null });
    expect((await client.jobs.deadLetters()).items.map(({ key }) => key)).toEqual(['mail:5']);
    expect(await client.jobs.acknowledge({ job: 'other' }, by)).toMatchObject({ acknowledged: [] });
  });

  it.each<[object, object, string]>([
    [{}, by, 'the filter is empty: name at least one of job, queue, fingerprint, finishedFrom, finishedTo'],
    [{}, { dryRun: true }, 'the filter is empty'],
    [{ jb: 'other' }, by, 'Did you mean "job"'],
    [{ states: ['canceled'] }, by, 'states'],
    [{ job: 'other', finishedFrom: 'today' }, by, 'finishedFrom must be an instant'],
    [{ job: 'other' }, { reason: 'x' }, 'actor is required'],
    [{ job: 'other' }, { ...by, limit: 1_001 }, 'limit'],
    [{ job: 'other' }, { ...by, cursor: 'x' }, 'cursor is not one of'],
    [{ job: 'other' }, { ...by, maxPerMinute: 1 }, 'maxPerMinute'],
  ])('refuses the filter %j with %j', async (filter, options, problem) => {
    await ended('1');
    const refusal = client.jobs.acknowledge(filter as { job: string }, options as typeof by);
    await expect(refusal).rejects.toThrow(InvalidRequestError);
    await expect(refusal).rejects.toThrow(problem);
    expect((await client.jobs.deadLetters()).items).toHaveLength(1);
  });

  it('refuses a job that nobody knows and that left nothing', async () => {
    await expect(client.jobs.acknowledge({ job: 'othr' }, by)).rejects.toThrow(UnknownJobError);
    await expect(client.jobs.acknowledge({ job: 'othr' }, { dryRun: true })).rejects.toThrow(UnknownJobError);
  });
});

describe('JobsClient.deadLetters', () => {
  it('goes page by page and filters as find does', async () => {
    for (const key of ['1', '2', '3']) await ended(key);
    await ended('1', 'failed', 'mail');
    const first = await client.jobs.deadLetters({ job: 'other', limit: 2 });
    const second = await client.jobs.deadLetters({ job: 'other', limit: 2, cursor: first.nextCursor! });
    expect([...first.items, ...second.items].map(({ key }) => key)).toEqual(['other:3', 'other:2', 'other:1']);
    expect((await client.jobs.deadLetters({ fingerprint: 'f2' })).items).toEqual([]);
    await expect(client.jobs.deadLetters({ states: ['canceled'] } as never)).rejects.toThrow(InvalidQueryError);
  });
});

describe('JobsClient.audit', () => {
  it('has each operation with who, when, to what and why, and no secret', async () => {
    await client.jobs.trigger('other', { key: 't', ...by });
    await client.jobs.cancel('other:manual:t', { actor: 'bob', reason: 'password=hunter2 leaked' });
    await client.jobs.trigger('other', { key: 't', ...by }); // the same one: nothing is done
    await client.jobs.pause('daily', by);
    await client.jobs.pause('daily', by); // it is paused already
    await client.jobs.resume('daily', by);
    await ended('1');
    await client.jobs.acknowledge('other:1', by);
    await client.jobs.replay('other:1', by);
    const { items } = await client.jobs.audit();
    expect(
      items.map(({ action, subject, jobName, actor, reason }) => [action, subject, jobName, actor, reason]),
    ).toEqual([
      ['replay', 'other:1', 'other', 'ann', by.reason],
      ['acknowledge', 'other:1', 'other', 'ann', by.reason],
      ['resume', 'daily', 'daily', 'ann', by.reason],
      ['pause', 'daily', 'daily', 'ann', by.reason],
      ['cancel', 'other:manual:t', 'other', 'bob', 'password=[redacted] leaked'],
      ['trigger', 'other:manual:t', 'other', 'ann', by.reason],
    ]);
    expect(items[0]!.executionId).toBe((await client.jobs.get('other:1'))!.executionId);
    expect(await client.jobs.get('other:manual:t')).toMatchObject({
      state: 'canceled',
      canceledBy: { actor: 'bob', reason: 'password=[redacted] leaked', at: expect.any(Date) },
    });
  });

  it('has backfills and their cancellation', async () => {
    const range = { from: new Date('2026-01-02T00:00:00Z'), to: new Date('2026-01-04T00:00:00Z') };
    const { backfillId } = await client.jobs.backfill('daily', { ...range, ...by });
    await client.jobs.cancelBackfill(backfillId, by);
    await client.jobs.cancelBackfill(backfillId, { ...by, actor: 'too late' });
    expect((await client.jobs.audit({ job: 'daily' })).items).toMatchObject([
      { action: 'cancel-backfill', subject: backfillId, ...by },
      { action: 'backfill', subject: backfillId, ...by, details: { inserted: 2, existing: 0, pruned: 0 } },
    ]);
  });

  it('filters and goes page by page', async () => {
    for (const key of ['1', '2', '3']) {
      await ended(key);
      await client.jobs.acknowledge(`other:${key}`, { ...by, actor: key });
    }
    const subjects = async (query: object) => (await client.jobs.audit(query)).items.map(({ subject }) => subject);
    expect(await subjects({ actor: '2' })).toEqual(['other:2']);
    expect(await subjects({ execution: 'other:3' })).toEqual(['other:3']);
    expect(await subjects({ execution: 'other:none' })).toEqual([]);
    expect(await subjects({ execution: 'x\u0000' }).catch(({ code }: { code: string }) => code)).toBe(
      'JOBS_INVALID_QUERY',
    );
    expect(await subjects({ action: 'cancel' })).toEqual([]);
    expect(await subjects({ from: new Date(Date.now() + 3_600_000) })).toEqual([]);
    const first = await client.jobs.audit({ job: 'other', limit: 2 });
    const second = await client.jobs.audit({ job: 'other', limit: 2, cursor: first.nextCursor! });
    expect([...first.items, ...second.items].map(({ subject }) => subject)).toEqual(['other:3', 'other:2', 'other:1']);
    expect(second.nextCursor).toBeNull();
    for (const query of [
      { action: 'delete' },
      { cursor: 'x' },
      { limit: 0 },
      { user: 'x' },
      { cursor: first.nextCursor },
    ]) {
      await expect(client.jobs.audit(query as never)).rejects.toThrow(InvalidQueryError);
    }
  });
});
