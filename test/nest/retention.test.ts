import { describe, expect, it } from 'vitest';
import { BackgroundJob, ScheduledJob } from 'nestjs-scheduled-jobs';
import { ClientApp } from '../support/client-app.js';
import { upkeepOf } from '../support/upkeep-of.js';

class Jobs {
  @ScheduledJob('0 0 1 1 *', { name: 'yearly', startAt: '2019-06-01T00:00:00Z', retention: '1d' })
  yearly(): void {}

  @BackgroundJob({ name: 'export', retention: { canceled: '1m' } })
  export(): void {}
}

describe('What retention has removed', () => {
  const client = new ClientApp([Jobs]);
  const table = (name: string) => `${client.schema}.${name}`;

  /** All that waits ends now, as canceled two days ago; then the duties are done. */
  async function endAndPrune() {
    await client.dataSource.query(`
      with gone as (delete from ${table('work')} returning execution_id)
      insert into ${table('outcomes')} (execution_id, state, finished_at)
      select execution_id, 'canceled', now() - interval '2 days' from gone`);
    await client.dataSource.query(
      `update ${table('executions')} set scheduled_for = least(scheduled_for, now() - interval '2 days')`,
    );
    return upkeepOf(client.app).runOnce();
  }

  it('is not executed again by a trigger of its period', async () => {
    expect(await client.jobs.trigger('yearly', { period: '2020-01-01' })).toMatchObject({ created: true });
    expect(await endAndPrune()).toMatchObject({ pruned: 1, failures: [] });
    const again = await client.jobs.trigger('yearly', { period: '2020-01-01' });
    expect(again).toEqual({ execution: null, created: false, pruned: true });
    expect(await client.stored()).toBe(0);
  });

  it('is not executed again by an enqueue with its key', async () => {
    await client.jobs.enqueue('export', null, { key: '4711' });
    expect(await endAndPrune()).toMatchObject({ pruned: 1, failures: [] });
    const again = await client.jobs.enqueue('export', null, { key: '4711' });
    expect(again).toEqual({ execution: null, created: false, pruned: true });
    expect(await client.stored()).toBe(0);
  });
});
