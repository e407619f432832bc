import { Type as Nested } from 'class-transformer';
import { IsDate, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import {
  BackgroundJob,
  DuplicateExecutionError,
  EngineEvents,
  ScheduledJob,
  UnknownJobError,
  Worker,
  type JobRun,
} from 'nestjs-scheduled-jobs';
import { describe, expect, it } from 'vitest';
import { ClientApp, refusal } from '../support/client-app.js';
import { nextEvent } from '../support/jobs-app.js';

class Page {
  @IsInt()
  readonly number!: number;
}

class ExportPdf {
  @IsString()
  readonly projectId!: string;

  @IsInt()
  readonly version!: number;

  @IsOptional()
  @ValidateNested({ each: true })
  @Nested(() => Page)
  readonly pages?: readonly Page[];
}

class Meeting {
  @IsDate()
  readonly at!: Date;
}

class ConvertedMeeting {
  @IsDate()
  @Nested(() => Date)
  readonly at!: Date;
}

const exported: unknown[] = [];

class Jobs {
  @BackgroundJob({ name: 'plain' })
  plain(): void {}

  @BackgroundJob({
    name: 'export-pdf',
    payload: ExportPdf,
    key: (payload) => `${payload.projectId}:${payload.version}`,
  })
  export({ payload }: JobRun<ExportPdf>): string {
    exported.push(payload);
    return `${payload.projectId}.pdf`;
  }

  @BackgroundJob({ name: 'with-result', duplicates: 'return-result' })
  withResult(): { readonly pages: number } {
    return { pages: 3 };
  }

  @BackgroundJob({ name: 'ignoring', duplicates: 'ignore' })
  ignoring(): void {}

  @BackgroundJob({ name: 'rejecting', duplicates: 'reject' })
  rejecting(): void {}

  @BackgroundJob({ name: 'meeting', payload: Meeting })
  meeting(): void {}

  @BackgroundJob({ name: 'converted-meeting', payload: ConvertedMeeting })
  convertedMeeting(): void {}

  @BackgroundJob({ name: 'bad-key', key: () => 5 as unknown as string })
  badKey(): void {}

  @BackgroundJob({ name: 'throwing-key', key: (payload: { readonly a: { readonly b: string } }) => payload.a.b })
  throwingKey(): void {}

  @BackgroundJob({ name: 'promised-key', key: () => Promise.reject(new Error('nobody waits')) as unknown as string })
  promisedKey(): void {}

  @BackgroundJob({ name: 'bad-concurrency', concurrencyKey: () => Number.NaN as unknown as string })
  badConcurrency(): void {}

  @BackgroundJob({ name: 'resting', disabled: true })
  resting(): void {}

  @ScheduledJob('0 6 * * *', { name: 'daily', timeZone: 'Europe/Berlin' })
  daily(): void {}
}

const client = new ClientApp([Jobs]);

const circular: Record<string, unknown> = {};
circular['self'] = circular;

describe('enqueue refuses, before anything is written,', () => {
  it.each([
    ['U+0000', { text: 'a\u0000b' }, 'payload.text contains U+0000'],
    ['half a surrogate pair', { text: '\ud800' }, 'payload.text contains half'],
    ['a BigInt', { n: 10n }, 'payload.n is a bigint'],
    ['a circle', circular, 'payload.self refers to itself'],
    ['2 MB', 'x'.repeat(2_000_000), 'more than 1048576'],
    ['NaN', [Number.NaN], 'payload[0] is NaN'],
    ['Infinity', { n: Number.POSITIVE_INFINITY }, 'is Infinity'],
    ['a function', { f: () => 1 }, 'is a function'],
    ['a symbol', Symbol('s'), 'is a symbol'],
  ])('%s', async (_name, payload, problem) => {
    const before = await client.stored();
    expect((await refusal(client.jobs.enqueue('plain', payload))).message).toContain(problem);
    expect(await client.stored()).toBe(before);
  });

  it.each([
    ['', 'must have 1 to 300 characters'],
    ['x'.repeat(301), 'must have 1 to 300 characters'],
    ['id:5', 'must not start with "id:"'],
    ['manual:x', 'must not start with "manual:"'],
    ['a\u0000', 'U+0000'],
  ])('the key %j', async (key, problem) => {
    expect((await refusal(client.jobs.enqueue('plain', null, { key }))).message).toContain(problem);
  });

  it('everything else that cannot be, all at once', async () => {
    const options = { runAt: new Date(Number.NaN), priority: 1.5, queue: 'a b', key: 5, attempts: 3 };
    const { problems } = await refusal(client.jobs.enqueue('plain', { n: 1n }, options as never));
    expect(problems).toHaveLength(6);
    expect((await refusal(client.jobs.enqueue('plain', null, { manger: null } as never))).message).toContain(
      'manger is not an option',
    );
  });

  it('an unknown job, with the name that was meant', async () => {
    await expect(client.jobs.enqueue('plainn', {})).rejects.toThrow(UnknownJobError);
    await expect(client.jobs.enqueue('plainn', {})).rejects.toThrow('Did you mean "plain"?');
    await expect(client.jobs.enqueue(undefined as never)).rejects.toThrow(UnknownJobError);
  });

  it('a scheduled and a disabled job', async () => {
    expect((await refusal(client.jobs.enqueue('daily'))).message).toContain('Use trigger()');
    expect((await refusal(client.jobs.enqueue('resting'))).message).toContain('the job is disabled');
  });

  it('a payload that breaks the rules of its class, nested ones included', async () => {
    const payload = { projectId: 5, version: 1, extra: true, pages: [{ number: 1 }, { number: 'two' }] };
    const { problems } = await refusal(client.jobs.enqueue('export-pdf', payload));
    expect(problems).toEqual([
      expect.stringContaining('property extra should not exist'),
      expect.stringContaining('projectId must be a string'),
      expect.stringContaining('pages.1.number: number must be an integer'),
    ]);
    for (const wrong of [undefined, null, 'text', [], 7]) {
      expect((await refusal(client.jobs.enqueue('export-pdf', wrong))).message).toContain('payload: must be an object');
    }
  });

  it('a payload that its class would refuse once it has been stored', async () => {
    expect((await refusal(client.jobs.enqueue('meeting', { at: new Date() }))).message).toContain('at must be a Date');
    expect(await client.jobs.enqueue('converted-meeting', { at: new Date() })).toMatchObject({ created: true });
  });

  it('a key that the job cannot make', async () => {
    expect((await refusal(client.jobs.enqueue('bad-key'))).message).toContain('"key" gave 5, not a string');
    expect((await refusal(client.jobs.enqueue('promised-key', {}))).message).toContain('gave an object, not a string');
    expect((await refusal(client.jobs.enqueue('throwing-key', {}))).message).toContain('"key" threw: Cannot read');
  });

  it('a manager outside a transaction', async () => {
    const { message } = await refusal(client.jobs.enqueue('plain', {}, { manager: client.dataSource.manager }));
    expect(message).toContain('manager is not in a transaction');
  });
});

describe('enqueue', () => {
  it('stores undefined as null and a Date as text, and takes run time, priority and queue', async () => {
    const runAt = new Date('2999-01-01T00:00:00.123Z');
    const { execution, created } = await client.jobs.enqueue(
      'plain',
      { at: new Date(0), gone: undefined, zero: -0 },
      { runAt, priority: -5, queue: 'slow' },
    );
    expect(created).toBe(true);
    const detail = await client.jobs.get(execution?.executionId ?? '');
    expect(detail).toMatchObject({ key: `plain:id:${execution?.executionId}`, queue: 'slow', priority: -5, runAt });
    expect(detail?.payload).toEqual({ at: '1970-01-01T00:00:00.000Z', zero: 0 });
  });

  it('falls back to the job without concurrency, with a warning, when concurrencyKey gives nonsense', async () => {
    const warned = nextEvent(client.app, 'configuration.warned');
    await client.jobs.enqueue('bad-concurrency');
    expect(await warned).toMatchObject({
      message: expect.stringContaining('concurrencyKey of the job "bad-concurrency"'),
    });
  });

  it('gives the existing execution for a key that was used before', async () => {
    const first = await client.jobs.enqueue('export-pdf', { projectId: 'p', version: 1 });
    const second = await client.jobs.enqueue('export-pdf', { projectId: 'p', version: 1 });
    expect(first).toMatchObject({ created: true, execution: { key: 'export-pdf:p:1', state: null } });
    expect(second).toEqual({ created: false, execution: first.execution });
  });

  it('gives nothing when the job ignores duplicates', async () => {
    await client.jobs.enqueue('ignoring', null, { key: 'k' });
    expect(await client.jobs.enqueue('ignoring', null, { key: 'k' })).toEqual({ created: false, execution: null });
  });

  it('throws when the job rejects duplicates', async () => {
    const { execution } = await client.jobs.enqueue('rejecting', null, { key: 'k' });
    const again = client.jobs.enqueue('rejecting', null, { key: 'k' });
    await expect(again).rejects.toThrow(DuplicateExecutionError);
    await expect(again).rejects.toMatchObject({ key: 'rejecting:k', executionId: execution?.executionId });
  });

  it('says that the original was pruned', async () => {
    const { execution } = await client.jobs.enqueue('plain', null, { key: 'old' });
    await client.dataSource.query(`delete from ${client.schema}.work where execution_id = $1`, [
      execution?.executionId,
    ]);
    await client.dataSource.query(`delete from ${client.schema}.executions where id = $1`, [execution?.executionId]);
    expect(await client.jobs.enqueue('plain', null, { key: 'old' })).toEqual({
      created: false,
      execution: null,
      pruned: true,
    });
  });
});

describe('a run', () => {
  it('gets an instance of the payload class, and its result is found by the next enqueue', async () => {
    client.app.get(Worker).start();
    const ended = nextEvent(client.app, 'execution.ended', (event) => 'key' in event && event.key === 'with-result:r');
    await client.jobs.enqueue('with-result', null, { key: 'r' });
    await ended;
    expect(await client.jobs.enqueue('with-result', null, { key: 'r' })).toMatchObject({
      created: false,
      execution: { state: 'succeeded', result: { pages: 3 } },
    });
    expect(exported[0]).toBeInstanceOf(ExportPdf);
  });

  it('leaves unknown properties out and fails at once for a payload that its class refuses by now', async () => {
    const add = (key: string, payload: unknown): Promise<unknown> =>
      client.dataSource.transaction(async (manager) => {
        await client.jobs.enqueue('export-pdf', { projectId: key, version: 1 }, { key, manager });
        await manager.query(`update ${client.schema}.executions set payload = $1::jsonb where key = $2`, [
          JSON.stringify(payload),
          `export-pdf:${key}`,
        ]);
      });
    const ends = Promise.all(
      ['old', 'broken'].map((key) =>
        nextEvent(client.app, 'execution.ended', (event) => 'key' in event && event.key === `export-pdf:${key}`),
      ),
    );
    await add('old', { projectId: 'old', version: 1, removedSince: true });
    await add('broken', { projectId: 5, version: 1 });
    expect(await ends).toMatchObject([{ state: 'succeeded' }, { state: 'failed' }]);
    expect(exported.at(-1)).toEqual(expect.objectContaining({ projectId: 'old', version: 1 }));
    expect(exported.at(-1)).not.toHaveProperty('removedSince');
    expect(await client.jobs.get('export-pdf:broken')).toMatchObject({
      attempts: 1,
      errorCode: 'JOBS_PAYLOAD_INVALID',
      error: { message: expect.stringContaining('projectId must be a string') },
    });
  });

  it('is not troubled by a subscriber that throws', () => {
    const unsubscribe = client.app.get(EngineEvents).subscribe(() => {
      throw new Error('deaf');
    });
    expect(() => client.app.get(EngineEvents).emit({ type: 'listener.connected' })).not.toThrow();
    unsubscribe();
  });
});
