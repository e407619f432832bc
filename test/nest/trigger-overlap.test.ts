import { BackgroundJob, OverlapError, ScheduledJob } from 'nestjs-scheduled-jobs';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClientApp } from '../support/client-app.js';

const DAY_MS = 86_400_000;
const startAt = new Date(Date.now() - 3 * DAY_MS);

class Jobs {
  @ScheduledJob('@daily', { name: 'skipping', timeZone: 'UTC', overlap: 'skip', startAt })
  skipping(): void {}

  @ScheduledJob('@daily', { name: 'wide', timeZone: 'UTC', overlap: 'skip', concurrency: 2, startAt })
  wide(): void {}

  @ScheduledJob('@daily', { name: 'queueing', timeZone: 'UTC', startAt })
  queueing(): void {}

  @ScheduledJob('@daily', { name: 'latest', timeZone: 'UTC', overlap: 'queue-latest', startAt })
  latest(): void {}

  @BackgroundJob({ name: 'replacing', overlap: 'replace' })
  replacing(): void {}
}

const client = new ClientApp([Jobs]);

describe('trigger while something of the job has not ended, case 206', () => {
  beforeEach(async () => {
    const tables = ['executions', 'work', 'keys'].map((table) => `${client.schema}.${table}`);
    await client.dataSource.query(`truncate ${tables.join(', ')}`);
  });

  it('is refused under skip, names what is in the way, and adds nothing', async () => {
    const { execution } = await client.jobs.trigger('skipping', { key: 'first' });
    const error: unknown = await client.jobs.trigger('skipping', { force: true }).catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(OverlapError);
    expect(error).toMatchObject({ code: 'JOBS_OVERLAP', jobName: 'skipping', blockedBy: execution?.executionId });
    expect((error as Error).message).toContain('its execution "skipping:manual:first" has not ended');
    expect(await client.stored()).toBe(1);
  });

  it('answers under skip with what is there already, when it is asked for again', async () => {
    const period = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    const { execution } = await client.jobs.trigger('skipping', { period });
    expect(await client.jobs.trigger('skipping', { period })).toEqual({ created: false, execution });
  });

  it('adds under skip as many as there is room for', async () => {
    expect(await client.jobs.trigger('wide')).toMatchObject({ created: true });
    expect(await client.jobs.trigger('wide')).toMatchObject({ created: true });
    await expect(client.jobs.trigger('wide')).rejects.toThrow(OverlapError);
  });

  it('is refused under skip while the one before waits for its next attempt', async () => {
    await client.jobs.trigger('skipping');
    await client.dataSource.query(
      `update ${client.schema}.work set phase = 'delayed', slot = 1, retrying = true, run_at = now() + interval '1 hour'`,
    );
    await expect(client.jobs.trigger('skipping')).rejects.toThrow(OverlapError);
  });

  it.each(['queueing', 'latest', 'replacing'])('adds one for the policy to decide about otherwise: %s', async (job) => {
    await client.jobs.trigger(job);
    expect(await client.jobs.trigger(job)).toMatchObject({ created: true });
    expect(await client.stored()).toBe(2);
  });
});
