import { expect, it } from 'vitest';
import type { InstanceFacts } from '../../libs/scheduled-jobs/src/core/ports/instance-store.js';
import { useLedger } from '../support/ledger-tests.js';
import { after } from '../support/ledger.js';

const HOUR_MS = 3_600_000;
const ledgerOf = useLedger();

const facts = (instanceId: string, more: Partial<InstanceFacts> = {}): InstanceFacts => ({
  instanceId,
  roles: ['scheduler'],
  workerId: null,
  version: '0.1.0',
  definitionsDigest: 'd1',
  zoneData: '2026a',
  ...more,
});

it('An instance is one row, with what it said last and since when it lives', async () => {
  const { instances } = ledgerOf().stores;
  await instances.seen(facts('a'), after(0));
  await instances.seen(facts('b', { roles: [], zoneData: null }), after(1_000));
  await instances.seen(facts('a', { roles: ['scheduler', 'worker'], workerId: 'w', version: '0.2.0' }), after(30_000));
  expect(await instances.list()).toEqual([
    {
      ...facts('a', { roles: ['scheduler', 'worker'], workerId: 'w', version: '0.2.0' }),
      startedAt: after(0),
      seenAt: after(30_000),
      stoppedAt: null,
    },
    { ...facts('b', { roles: [], zoneData: null }), startedAt: after(1_000), seenAt: after(1_000), stoppedAt: null },
  ]);
});

it('An instance that has stopped says when, once, and takes it back when it is seen again', async () => {
  const { instances } = ledgerOf().stores;
  for (const id of ['a', 'b', 'c']) await instances.seen(facts(id), after(0));
  for (const id of ['a', 'c', 'unknown']) await instances.stopped(id, after(1_000));
  await instances.stopped('a', after(2_000));
  await instances.seen(facts('c'), after(3_000));
  expect((await instances.list()).map(({ instanceId, stoppedAt }) => [instanceId, stoppedAt])).toEqual([
    ['c', null],
    ['a', after(1_000)],
    ['b', null],
  ]);
});

it('An instance that was not seen for a day is removed', async () => {
  const { instances } = ledgerOf().stores;
  await instances.seen(facts('gone'), after(0));
  await instances.seen(facts('alive'), after(2 * HOUR_MS));
  expect(await instances.removeUnseen(after(24 * HOUR_MS))).toBe(0);
  expect(await instances.removeUnseen(after(25 * HOUR_MS))).toBe(1);
  expect((await instances.list()).map(({ instanceId }) => instanceId)).toEqual(['alive']);
});
