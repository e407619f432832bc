import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { after, attemptRecord, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const fill = (count: number) => ledgerOf().insert(...Array.from({ length: count }, () => ({})));
const expectDistinct = (ids: readonly string[], count: number) => {
  expect(ids).toHaveLength(count);
  expect(new Set(ids).size).toBe(count);
};

describe('claim', () => {
  it('hands 1,000 executions to two workers, each to one of them', async () => {
    await fill(1_000);
    const drain = async (worker: string) => {
      const own: string[] = [];
      for (;;) {
        const claimed = await ledgerOf().claim({ worker, take: 50 });
        if (claimed.length === 0) return own;
        own.push(...claimed.map(({ executionId }) => executionId));
      }
    };
    const [one, two] = await Promise.all([drain('w1'), drain('w2')]);
    expectDistinct([...one, ...two], 1_000);
  });
});

describe('rescue', () => {
  it('takes each expired lease over once, however many rescuers there are', async () => {
    await fill(500);
    await ledgerOf().claim();
    const rescues = await Promise.all(
      Array.from({ length: 10 }, () => ledgerOf().stores.work.rescue(1_000, after(31_000))),
    );
    expectDistinct(
      rescues.flat().map(({ executionId }) => executionId),
      500,
    );
    expect(await ledgerOf().row('select count(*)::int as n, max(lost_leases) as lost from work')).toEqual({
      n: 500,
      lost: 1,
    });
  });

  it('lets ten rescuers meet over a single row', async () => {
    for (let round = 0; round < 20; round++) {
      await fill(1);
      await ledgerOf().claim();
      const rescues = await Promise.all(
        Array.from({ length: 10 }, () => ledgerOf().stores.work.rescue(10, after(31_000))),
      );
      expect(rescues.flat()).toHaveLength(1);
      await ledgerOf().sql('delete from work; delete from executions; delete from attempts');
    }
  });
});

describe('finish and rescue', () => {
  it('agree on each execution: the business change stands exactly where the completion is recorded', async () => {
    await ledgerOf().sql('create table public.effects (execution_id text primary key)');
    const outcomes: boolean[] = [];
    for (let round = 0; round < 200; round++) {
      await fill(1);
      const [claimed] = await ledgerOf().claim();
      const complete = ledgerOf().stores.transactions.runAndFinish(
        claimed!,
        async (tx) => {
          await tx.query('insert into public.effects values ($1)', [claimed!.executionId]);
          return attemptRecord(claimed!);
        },
        'w1',
      );
      const [completed] = await Promise.allSettled([complete, ledgerOf().stores.work.rescue(10, after(31_000))]);
      outcomes.push(completed.status === 'fulfilled');
      await ledgerOf().sql(`delete from work where execution_id = $1 and phase = 'ready'`, [claimed!.executionId]);
      await ledgerOf().sql(
        `delete from executions e where not exists (select 1 from outcomes o where o.execution_id = e.id)`,
      );
    }
    const effects = await ledgerOf().sql('select execution_id from public.effects order by 1');
    const succeeded = await ledgerOf().sql(
      `select execution_id::text from outcomes where state = 'succeeded' order by 1`,
    );
    expect(effects).toEqual(succeeded);
    expect(effects).toHaveLength(outcomes.filter(Boolean).length);
    await ledgerOf().sql(
      'drop table public.effects; delete from attempts where execution_id not in (select id from executions)',
    );
  });
});

describe('finish and a request to stop', () => {
  it('never lose an execution between each other', async () => {
    for (let round = 0; round < 20; round++) {
      await fill(40);
      const claimed = await ledgerOf().claim();
      const records = claimed.map((one, n) =>
        attemptRecord(one, n % 2 === 0 ? {} : { disposition: 'retry', outcome: 'failed', runAt: after(99_000) }),
      );
      const [answers] = await Promise.all([
        ledgerOf().stores.work.finish(records, { workerId: 'w1', now: T0 }),
        ledgerOf().sql(`update work set cancel_requested_at = now() where phase = 'leased'`),
      ]);
      expectDistinct(
        answers.map(({ executionId }) => executionId),
        40,
      );
      expect(await ledgerOf().sql(`select 1 from work where phase = 'leased'`)).toEqual([]);
    }
  });
});

describe('heartbeat and finish', () => {
  it('report no lease as lost while both work on the same executions', async () => {
    await fill(300);
    const claimed = await ledgerOf().claim();
    const leases = claimed.map((one) => ({ ...one, startedAt: null }));
    const beats = Promise.all(Array.from({ length: 10 }, () => ledgerOf().stores.work.heartbeat(leases, T0)));
    const finished = await ledgerOf().stores.work.finish(
      claimed.map((one) => attemptRecord(one)),
      { workerId: 'w1', now: T0 },
    );
    await beats;
    expect(finished).toHaveLength(300);
  });
});
