import { IsString } from 'class-validator';
import {
  BackgroundJob,
  InvalidQueryError,
  InvalidRequestError,
  ScheduledJob,
  Scheduler,
  UnknownJobError,
} from 'nestjs-scheduled-jobs';
import { describe, expect, it } from 'vitest';
import { ClientApp, refusal } from '../support/client-app.js';

const DAY_MS = 86_400_000;

class ExportPdf {
  @IsString()
  readonly projectId!: string;
}

class Jobs {
  @BackgroundJob({ name: 'plain' })
  plain(): void {}

  @BackgroundJob({ name: 'export-pdf', payload: ExportPdf, key: (payload) => payload.projectId })
  export(): void {}

  @BackgroundJob({ name: 'resting', disabled: true })
  resting(): void {}

  @ScheduledJob('0 6 * * *', {
    name: 'daily',
    timeZone: 'Europe/Berlin',
    startAt: new Date(Date.now() - 3 * DAY_MS),
    catchUp: { window: '4d' }, // several periods, whatever the time of day
  })
  daily(): void {}

  @ScheduledJob('* * * * * *', { name: 'each-second', timeZone: 'UTC' })
  eachSecond(): void {}
}

const client = new ClientApp([Jobs]);

describe('trigger', () => {
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);

  it('makes the execution of a period that a tick would make, whichever comes first', async () => {
    const triggered = await client.jobs.trigger('daily', { period: yesterday, actor: 'anna@example.org' });
    expect(triggered).toMatchObject({ created: true, execution: { key: `daily:${yesterday}` } });
    const detail = await client.jobs.get(`daily:${yesterday}`);
    expect(detail).toMatchObject({ period: yesterday, trigger: 'trigger', actor: 'anna@example.org' });
    await client.app.get(Scheduler).runOnce();
    const { items } = await client.jobs.find({ job: 'daily' });
    const ofYesterday = items.filter(({ period }) => period === yesterday);
    expect(ofYesterday).toEqual([expect.objectContaining({ executionId: triggered.execution?.executionId })]);
    const ticked = items.find(({ period, key }) => period !== yesterday && key.startsWith('daily:'));
    expect(await client.jobs.trigger('daily', { period: ticked?.period ?? '' })).toMatchObject({
      created: false,
      execution: { executionId: ticked?.executionId },
    });
    expect(detail?.interval?.end).toEqual(detail?.scheduledFor);
  });

  it('leaves periods alone without one, and makes two clicks with one key one execution', async () => {
    const first = await client.jobs.trigger('daily', { key: 'click' });
    const second = await client.jobs.trigger('daily', { key: 'click' });
    const third = await client.jobs.trigger('daily');
    expect(first.execution?.key).toBe('daily:manual:click');
    expect(second).toEqual({ created: false, execution: first.execution });
    expect(third.execution?.key).toMatch(/^daily:manual:[0-9a-f-]{36}$/);
  });

  it('does not take the place of the next scheduled run, nor the other way round', async () => {
    const byHand = await client.jobs.trigger('each-second', { key: 'click' });
    const scheduled = async () => {
      await client.app.get(Scheduler).runOnce();
      const { items } = await client.jobs.find({ job: 'each-second' });
      return items.filter(({ trigger }) => trigger === 'schedule');
    };
    await expect.poll(scheduled, { timeout: 5_000 }).not.toEqual([]);
    for (const { key } of await scheduled()) expect(key).toMatch(/^each-second:\d{4}-\d\d-\d\dT[\d:]{8}\+00:00$/);
    expect(await client.jobs.trigger('each-second', { key: 'click' })).toEqual({
      created: false,
      execution: byHand.execution,
    });
    const { items } = await client.jobs.find({ job: 'each-second', trigger: 'trigger' });
    expect(items.map(({ key }) => key)).toEqual(['each-second:manual:click']);
  });

  it('keeps no secret in the name of who asked for it', async () => {
    await client.jobs.trigger('daily', { key: 'by-token', actor: 'anna token=abc' });
    expect(await client.jobs.get('daily:manual:by-token')).toMatchObject({ actor: 'anna token=[redacted]' });
  });

  it('runs a background job beside its keys', async () => {
    const { execution } = await client.jobs.trigger('export-pdf', { payload: { projectId: 't' } });
    expect(execution?.key).toMatch(/^export-pdf:manual:/);
  });

  it.each([
    ['daily', { period: '2999-01-01' }, 'no period "2999-01-01" has begun'],
    ['daily', { period: 'yesterday' }, 'no period "yesterday" has begun'],
    ['daily', { period: 20260814 }, 'period must be the label of a period'],
    ['daily', { period: yesterday, key: 'x' }, 'key cannot be combined with "period"'],
    ['daily', { payload: {} }, 'payload belongs to background jobs'],
    ['plain', { period: yesterday }, 'period belongs to scheduled jobs'],
    ['plain', { actor: '' }, 'actor must be'],
    ['plain', { actor: 'a\u0000' }, 'actor must be'],
    ['plain', { reason: '' }, 'reason must be a text of 1 to 1000 characters'],
    ['plain', { force: 'yes' }, 'force must be true or false'],
    ['plain', { key: 'manual:x' }, 'must not start with "manual:"'],
    ['resting', {}, 'the job is disabled'],
  ])('refuses %s %o', async (job, options, problem) => {
    const error: unknown = await client.jobs.trigger(job, options as never).catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect((error as Error).message).toMatch(`Cannot trigger "${job}":\n- `);
    expect((error as Error).message).toContain(problem);
  });

  it('refuses a payload as enqueue does', async () => {
    const trigger = client.jobs.trigger('export-pdf', { payload: { projectId: 1 } });
    expect((await refusal(trigger)).message).toContain('projectId must be a string');
  });
});

describe('preview', () => {
  it('shows the next occurrences with their labels', () => {
    const occurrences = client.jobs.preview('daily', 3);
    expect(occurrences).toHaveLength(3);
    expect(occurrences[0]?.scheduledFor.getTime()).toBeGreaterThan(Date.now());
    expect(occurrences[0]?.period).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it('refuses background jobs and impossible counts', () => {
    expect(() => client.jobs.preview('plain')).toThrow(InvalidQueryError);
    for (const count of [0, -1, 1.5, Number.NaN, 1e9])
      expect(() => client.jobs.preview('daily', count)).toThrow(InvalidQueryError);
    expect(() => client.jobs.preview('nothing')).toThrow(UnknownJobError);
  });
});
