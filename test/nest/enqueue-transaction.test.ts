import pg from 'pg';
import { DataSource } from 'typeorm';
import { BackgroundJob, DuplicateExecutionError, JobsClient, Worker } from 'nestjs-scheduled-jobs';
import { describe, expect, it } from 'vitest';
import { ClientApp, refusal } from '../support/client-app.js';
import { createApp, jobsModule, nextEvent } from '../support/jobs-app.js';

class Jobs {
  @BackgroundJob({ name: 'plain' })
  plain(): void {}

  @BackgroundJob({ name: 'rejecting', duplicates: 'reject' })
  rejecting(): void {}
}

const client = new ClientApp([Jobs]);

describe('enqueue in a transaction of the caller', () => {
  it('exists exactly if the transaction commits', async () => {
    const rolledBack = client.dataSource.transaction(async (manager) => {
      await client.jobs.enqueue('plain', null, { key: 'rolled-back', manager });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await client.jobs.get('plain:rolled-back')).toBeNull();

    await client.dataSource.transaction(async (manager) => {
      await client.jobs.enqueue('plain', null, { key: 'committed', manager });
      expect(await client.jobs.get('plain:committed')).toBeNull();
    });
    expect(await client.jobs.get('plain:committed')).toMatchObject({ state: 'pending' });
  });

  it('goes on after a duplicate, whatever the isolation', async () => {
    await client.jobs.enqueue('plain', null, { key: 'before' });
    const answer = await client.dataSource.transaction('READ COMMITTED', async (manager) => {
      const duplicate = await client.jobs.enqueue('plain', null, { key: 'before', manager });
      await client.jobs.enqueue('plain', null, { key: 'after-duplicate', manager });
      return duplicate;
    });
    expect(answer).toMatchObject({ created: false, execution: { key: 'plain:before' } });
    expect(await client.jobs.get('plain:after-duplicate')).not.toBeNull();
  });

  it.each(['REPEATABLE READ', 'SERIALIZABLE'] as const)(
    'raises 40001 as it comes when the snapshot of a caller under %s does not see the duplicate; a retry finds it',
    async (isolation) => {
      const key = isolation.replace(' ', '-');
      const attempt = (meanwhile: () => Promise<unknown>) =>
        client.dataSource.transaction(isolation, async (manager) => {
          await manager.query('select 1');
          await meanwhile();
          return client.jobs.enqueue('plain', null, { key, manager });
        });
      const error: unknown = await attempt(() => client.jobs.enqueue('plain', null, { key })).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(pg.DatabaseError);
      expect(error).toMatchObject({ code: '40001' });
      const existing = await client.jobs.get(`plain:${key}`);
      expect(await attempt(async () => undefined)).toMatchObject({
        created: false,
        execution: { executionId: existing?.executionId },
      });
    },
  );

  it('wakes the worker after the commit', async () => {
    const other = await createApp(
      jobsModule({
        url: client.url,
        providers: [Jobs],
        jobs: { scheduler: false, worker: { pollInterval: '10m' } },
      }),
    );
    await other.init();
    const connected = nextEvent(other, 'listener.connected');
    other.get(Worker).start();
    await connected;
    const ended = nextEvent(other, 'execution.ended');
    await other.get(DataSource).transaction(async (manager) => {
      await other.get(JobsClient).enqueue('plain', null, { manager });
    });
    expect(await ended).toMatchObject({ job: 'plain', state: 'succeeded' });
    await other.close();
  });
});

describe('enqueueMany', () => {
  it('answers in the order given, over several statements', async () => {
    await client.jobs.enqueue('plain', null, { key: 'many-1500' });
    const items = Array.from({ length: 2_100 }, (_, index) => ({ payload: { index }, key: `many-${index}` }));
    const { executions, created, duplicates } = await client.jobs.enqueueMany('plain', items);
    expect({ created, duplicates }).toEqual({ created: 2_099, duplicates: 1 });
    expect(executions.map(({ key }) => key)).toEqual(items.map(({ key }) => `plain:${key}`));
    expect(executions[1_500]?.created).toBe(false);
    const detail = await client.jobs.get(executions[2_050]?.executionId ?? '');
    expect(detail).toMatchObject({ key: 'plain:many-2050', payload: { index: 2_050 } });
  });

  it('adds nothing when one item is wrong, and says which', async () => {
    const before = await client.stored();
    const items = [{ payload: 1 }, { payload: Number.NaN }, { payload: 2, key: 'id:x' }];
    const { problems } = await refusal(client.jobs.enqueueMany('plain', items));
    expect(problems).toEqual([expect.stringContaining('[1] payload is NaN'), expect.stringContaining('[2] the key')]);
    expect(await client.stored()).toBe(before);
  });

  it('adds nothing when a job rejects one duplicate', async () => {
    await client.jobs.enqueue('rejecting', null, { key: 'taken' });
    const many = client.jobs.enqueueMany('rejecting', [{ key: 'free' }, { key: 'taken' }]);
    await expect(many).rejects.toThrow(DuplicateExecutionError);
    expect(await client.jobs.get('rejecting:free')).toBeNull();
  });

  it('belongs to the transaction of the caller', async () => {
    const rolledBack = client.dataSource.transaction(async (manager) => {
      await client.jobs.enqueueMany('plain', [{ key: 'gone-1' }, { key: 'gone-2' }], { manager });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await client.jobs.get('plain:gone-1')).toBeNull();
  });

  it('refuses a misspelt option, which would cost the transaction', async () => {
    const { message } = await refusal(client.jobs.enqueueMany('plain', [{}], { manger: null } as never));
    expect(message).toContain('manger is not an option. Did you mean "manager"?');
  });

  it('takes no items and refuses too many', async () => {
    expect(await client.jobs.enqueueMany('plain', [])).toEqual({ executions: [], created: 0, duplicates: 0 });
    const { message } = await refusal(
      client.jobs.enqueueMany(
        'plain',
        Array.from({ length: 100_001 }, () => ({})),
      ),
    );
    expect(message).toContain('100001 items at once are more than 100000');
  });

  it('does not deadlock with another call that has the same keys in another order', async () => {
    const items = Array.from({ length: 3_000 }, (_, index) => ({ key: `both-${index}` }));
    const answers = await Promise.all([
      client.jobs.enqueueMany('plain', items),
      client.jobs.enqueueMany('plain', items.toReversed()),
    ]);
    expect(answers.map(({ created }) => created).reduce((a, b) => a + b)).toBe(3_000);
  });
});
