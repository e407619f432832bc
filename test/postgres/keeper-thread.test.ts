import { afterEach, describe, expect, it } from 'vitest';
import type { KeeperThread } from '../../libs/scheduled-jobs/src/core/ports/keeper-thread.js';
import { createKeeperThread } from '../../libs/scheduled-jobs/src/postgres/lease-thread/keeper-thread.js';
import { EventRecorder } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';

const ledgerOf = useLedger();
const threads: KeeperThread[] = [];
afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.stop())));

const SETTINGS = { capacity: 2, checkEveryMs: 25 };

function startThread(connection: object = { connectionString: ledgerOf().url }, file?: URL) {
  const recorder = new EventRecorder();
  const parts = { connection, schema: ledgerOf().schema, emit: recorder.emit };
  const thread = createKeeperThread(file === undefined ? parts : { ...parts, file });
  threads.push(thread);
  thread.start(SETTINGS);
  return { thread, recorder };
}

/** A lease of three seconds that the database knows, shared with the thread. */
async function shareLease(thread: KeeperThread) {
  await ledgerOf().insert({ leaseMs: 3_000, deadlineMs: 3_650 * 86_400_000 });
  const [lease] = await ledgerOf().claim({ now: null as never });
  const { startedAt } = await ledgerOf().row<{ startedAt: Date }>('select started_at as "startedAt" from work');
  const { executionId, leaseToken, leaseMs } = lease!;
  const shared = { executionId, leaseToken, leaseMs, startedAt, blockedLoopLimitMs: 60_000 };
  return { lease: lease!, place: thread.share(shared) };
}
const leaseUntil = async () => (await ledgerOf().row<{ until: Date }>('select lease_until as until from work')).until;
const sessions = () =>
  ledgerOf().sql(
    `select 1 from pg_stat_activity where application_name = 'scheduled-jobs keeper thread' and datname = current_database()`,
  );

describe('The keeper thread', () => {
  it('renews a lease while the event loop does not say that it turns, on a connection that it then gives up', async () => {
    const { thread, recorder } = startThread();
    const { lease, place } = await shareLease(thread);
    const claimedUntil = await leaseUntil();
    await expect.poll(() => thread.renewedAgoMs(place!, lease)).not.toBeNull();
    expect((await leaseUntil()).getTime()).toBeGreaterThan(claimedUntil.getTime() + 500);
    expect(await sessions()).toHaveLength(1);
    await expect
      .poll(async () => {
        thread.turned();
        return sessions();
      })
      .toEqual([]);
    expect(recorder.events).toEqual([]);
  });

  it('renews nothing with a token of an earlier lease', async () => {
    const { thread } = startThread();
    const { lease, place } = await shareLease(thread);
    await ledgerOf().sql('update work set lease_token = lease_token + 1');
    const before = await leaseUntil();
    await expect.poll(sessions).toHaveLength(1);
    thread.turned();
    await expect.poll(sessions).toEqual([]);
    expect(await leaseUntil()).toEqual(before);
    expect(thread.renewedAgoMs(place!, lease)).toBeNull();
  });

  it('shares no more leases than there are places, and none after its stop', async () => {
    const { thread } = startThread();
    const lease = { executionId: '1', leaseToken: '1', leaseMs: 30_000, startedAt: new Date(), blockedLoopLimitMs: 1 };
    const places = [thread.share(lease), thread.share(lease), thread.share(lease)];
    expect(new Set(places)).toEqual(new Set([0, 1, null]));
    thread.unshare(places[0]!);
    expect(thread.share(lease)).toBe(places[0]);
    await thread.stop();
    expect(thread.share(lease)).toBeNull();
  });

  it('keeps no process alive', async () => {
    const alive = () => process.getActiveResourcesInfo().filter((name) => /Worker|MessagePort/.test(name)).length;
    const before = alive();
    const { thread } = startThread(undefined, new URL('data:text/javascript,setInterval(() => {}, 1000)'));
    await shareLease(thread);
    expect(alive()).toBe(before);
  });

  it('tells of a database that it cannot reach', async () => {
    const { thread, recorder } = startThread({ host: '127.0.0.1', port: 1, user: 'nobody' });
    await shareLease(thread);
    const { error } = await recorder.next('service.failed', { withinMs: 8_000 });
    expect(String(error)).toContain('ECONNREFUSED');
  });

  it('is replaced after a pause when it dies, and never ends the process', async () => {
    const { thread, recorder } = startThread(undefined, new URL('data:text/javascript,throw new Error("broken")'));
    await shareLease(thread);
    await expect
      .poll(() =>
        recorder
          .of('service.failed')
          .slice(0, 2)
          .map(({ service, retryInMs }) => ({ service, retryInMs })),
      )
      .toEqual([
        { service: 'keeper-thread', retryInMs: 1_000 },
        { service: 'keeper-thread', retryInMs: 2_000 },
      ]);
    expect(String(recorder.of('service.failed')[0]?.error)).toContain('broken');
  });

  it('is left out, with the reason, where the connection needs functions', async () => {
    const { thread } = startThread({ host: 'db', password: () => 'secret' });
    expect(thread.problem).toContain('The connection options "password" hold functions');
    expect((await shareLease(thread)).place).toBeNull();
  });
});
