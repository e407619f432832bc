import type { EntityManager } from 'typeorm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  ExecutionCanceledError,
  InvalidQueryError,
  LeaseLostError,
} from '../../libs/scheduled-jobs/src/core/errors.js';
import type { ClaimedExecution } from '../../libs/scheduled-jobs/src/core/execution/claimed-execution.js';
import { rescueExpiredSql } from '../../libs/scheduled-jobs/src/postgres/statements/rescue-expired.sql.js';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
beforeAll(() => ledgerOf().sql('create table public.effects (n int not null)'));
beforeEach(() => ledgerOf().sql('truncate public.effects'));

const NOTHING = { counts: { processed: 0, failed: 0, skipped: 0 }, checkpoint: null, failedItem: null };
const transactions = () => ledgerOf().stores.transactions;
const rescue = (now = after(31_000)) => ledgerOf().stores.work.rescue(10, now);
const names = () => ledgerOf().sql('select step_name, lease_token from steps order by 1');

async function claimOne(now = T0): Promise<ClaimedExecution> {
  await ledgerOf().insert({});
  return (await ledgerOf().claim({ now }))[0]!;
}
const record = (lease: ClaimedExecution, parts: object = {}, tx: EntityManager | null = null) =>
  transactions().steps.record(
    lease,
    { stepName: 'charge', result: '{"id":"c1"}', startedAt: T0, finishedAt: after(1_000), ...parts },
    tx,
  );
const recordInTransaction = (lease: ClaimedExecution, then: () => Promise<unknown> = async () => null) =>
  transactions().run(
    lease,
    async (tx) => {
      await tx.query('insert into public.effects values (1)');
      await record(lease, {}, tx);
      await then();
    },
    () => NOTHING,
  );

describe('A step', () => {
  it('is remembered with its result, and found by the executions attempts alone', async () => {
    const lease = await claimOne();
    expect(await transactions().steps.find(lease.executionId)).toEqual(new Map());
    await record(lease);
    await record(lease, { stepName: 'mail', result: null });
    const found = await transactions().steps.find(lease.executionId);
    expect(found).toEqual(
      new Map([
        ['charge', '{"id":"c1"}'],
        ['mail', null],
      ]),
    );
    expect(await transactions().steps.find('999')).toEqual(new Map());
  });

  it('is fenced: neither a lost lease nor one that another worker has got records it', async () => {
    const lease = await claimOne();
    await rescue();
    await expect(record(lease)).rejects.toThrow(LeaseLostError);
    await ledgerOf().claim({ worker: 'w2', now: after(31_000) });
    await expect(record(lease)).rejects.toThrow(LeaseLostError);
    expect(await names()).toEqual([]);
  });

  it('is not recorded beside a rescue that is about to commit', async () => {
    const lease = await claimOne();
    const other = await ledgerOf().client();
    await other.query('begin');
    await other.query(rescueExpiredSql(ledgerNames(ledgerOf().schema)), [after(31_000), 10, 3]);
    const recorded = record(lease);
    let isOver = false;
    void recorded.catch(() => {}).finally(() => (isOver = true));
    await expect.poll(async () => isOver || (await ledgerOf().lockWaits()) > 0).toBe(true);
    await other.query('commit');
    await expect(recorded).rejects.toThrow(LeaseLostError);
    expect(await names()).toEqual([]);
  });

  it('is recorded once: a second record of its name is an error', async () => {
    const lease = await claimOne();
    await record(lease);
    await expect(record(lease, { result: '2' })).rejects.toMatchObject({ code: '23505' });
    expect(await transactions().steps.find(lease.executionId)).toEqual(new Map([['charge', '{"id":"c1"}']]));
  });

  it('is recorded although somebody has asked the execution to stop: its work is done', async () => {
    const lease = await claimOne();
    await ledgerOf().sql('update work set cancel_requested_at = now()');
    await record(lease);
    expect(await names()).toHaveLength(1);
  });
});

describe('A step in a transaction', () => {
  const effects = async () => (await ledgerOf().row<{ n: number }>('select count(*)::int as n from public.effects')).n;

  it('commits with the changes of its work', async () => {
    const lease = await claimOne();
    await recordInTransaction(lease, async () => expect(await names()).toEqual([]));
    expect([await effects(), (await names()).length]).toEqual([1, 1]);
  });

  it.each([
    [
      'the lease is lost before it is recorded',
      LeaseLostError,
      (lease: ClaimedExecution) => rescue().then(() => recordInTransaction(lease)),
    ],
    [
      'the lease is lost afterwards',
      LeaseLostError,
      (lease: ClaimedExecution) => recordInTransaction(lease, () => rescue()),
    ],
    [
      'somebody asks the execution to stop',
      ExecutionCanceledError,
      (lease: ClaimedExecution) =>
        recordInTransaction(lease, () => ledgerOf().sql('update work set cancel_requested_at = now()')),
    ],
  ])('leaves neither when %s', async (_, error, run) => {
    await expect(run(await claimOne())).rejects.toThrow(error);
    expect([await effects(), (await names()).length]).toEqual([0, 0]);
  });

  it('keeps nobody away from the work row before its fence', async () => {
    const lease = await claimOne();
    await recordInTransaction(lease, () => ledgerOf().sql('select 1 from work for update nowait'));
    expect(await names()).toHaveLength(1);
  });
});

describe('An execution that loses its lease', () => {
  it('begins to count anew when the lost token has recorded a step', async () => {
    await ledgerOf().insert({ maxAttempts: 10 });
    const losses = async (minute: number, makesProgress: boolean) => {
      const [lease] = await ledgerOf().claim({ now: after(minute * 60_000) });
      if (makesProgress) await record(lease!, { stepName: `step ${minute}` });
      await rescue(after(minute * 60_000 + 31_000));
      return (await ledgerOf().row<{ n: number }>('select losses_in_row as n from work')).n;
    };
    expect([await losses(1, false), await losses(2, false), await losses(3, true), await losses(4, false)]).toEqual([
      1, 2, 1, 2,
    ]);
  });
});

describe('The list of steps', () => {
  it('is in the order of their ends, in pages, without secrets', async () => {
    const lease = await claimOne();
    await record(lease, { stepName: 'b', finishedAt: after(10), result: '{"password":"hunter2","id":7}' });
    await record(lease, { stepName: 'c', finishedAt: after(5) });
    await record(lease, { stepName: 'a', finishedAt: after(10), result: null });
    const { ledger } = ledgerOf().stores;
    const first = await ledger.steps(lease.executionId, { limit: 2 });
    expect(first.items).toEqual([
      expect.objectContaining({ stepName: 'c', leaseToken: lease.leaseToken, durationMs: 5, result: { id: 'c1' } }),
      {
        stepName: 'a',
        leaseToken: lease.leaseToken,
        startedAt: T0,
        finishedAt: after(10),
        durationMs: 10,
        result: null,
      },
    ]);
    const second = await ledger.steps(lease.executionId, { limit: 2, after: first.nextCursor });
    expect(second).toMatchObject({
      items: [{ stepName: 'b', result: { password: '[redacted]', id: 7 } }],
      nextCursor: null,
    });
    await expect(ledger.steps(lease.executionId, { after: 'nonsense' })).rejects.toThrow(InvalidQueryError);
    expect(await ledger.steps('999')).toEqual({ items: [], nextCursor: null });
  });
});
