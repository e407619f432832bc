import { BackgroundJob, Worker, type JobRun } from 'nestjs-scheduled-jobs';
import { expect, it } from 'vitest';
import { ClientApp } from '../support/client-app.js';
import { nextEvent } from '../support/jobs-app.js';

let begun: (() => void) | undefined;
let goOn: (() => void) | undefined;

class Jobs {
  @BackgroundJob({ name: 'slow' })
  async slow(_run: JobRun): Promise<void> {
    if (goOn !== undefined) return;
    await new Promise<void>((resolve) => {
      goOn = resolve;
      begun?.();
    });
  }
}

const client = new ClientApp([Jobs]);

it('records nothing for an execution whose rows were removed by hand while it ran, and the worker goes on', async () => {
  const running = new Promise<void>((resolve) => (begun = resolve));
  client.app.get(Worker).start();
  const { execution } = await client.jobs.enqueue('slow', undefined, { key: 'removed' });
  await running;
  for (const [table, column] of [
    ['work', 'execution_id'],
    ['executions', 'id'],
  ]) {
    await client.dataSource.query(`delete from ${client.schema}.${table} where ${column} = $1`, [
      execution?.executionId,
    ]);
  }
  const lost = nextEvent(client.app, 'lease.lost');
  goOn?.();
  await lost;
  const ended = nextEvent(client.app, 'execution.ended');
  await client.jobs.enqueue('slow', undefined, { key: 'next' });
  await ended;
  expect(await client.jobs.get('slow:next')).toMatchObject({ state: 'succeeded' });
  expect(await client.jobs.get('slow:removed')).toBeNull();
});
