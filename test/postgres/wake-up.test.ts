import { afterEach, describe, expect, it } from 'vitest';
import type { EngineEvent } from '../../libs/scheduled-jobs/src/core/events/engine-event.js';
import { createStores } from '../../libs/scheduled-jobs/src/postgres/create-stores.js';
import { PostgresWakeUp, type ListenerTiming } from '../../libs/scheduled-jobs/src/postgres/wake-up.js';
import { useLedger } from '../support/ledger-tests.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const ledgerOf = useLedger();
/** Patient: on a busy machine an answer that comes late is no lost connection. */
const TIMING: ListenerTiming = { checkEveryMs: 20, checkTimeoutMs: 10_000, firstPauseMs: 10, longestPauseMs: 40 };
const CHANNEL = 'scheduled_jobs_hints';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

function listen(url: string, timing: Partial<ListenerTiming> = TIMING) {
  const events: EngineEvent['type'][] = [];
  const wakeUp = new PostgresWakeUp({
    connection: { connectionString: url },
    channel: CHANNEL,
    emit: ({ type }) => events.push(type),
    timing,
  });
  const heard = { hints: 0 };
  wakeUp.start(() => (heard.hints += 1));
  stops.push(() => wakeUp.stop());
  return { wakeUp, events, heard };
}
const notify = () => ledgerOf().sql(`select pg_notify('${CHANNEL}', '')`);
const listeners = () =>
  ledgerOf().sql<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'scheduled-jobs listener' and datname = current_database()`,
  );

describe('wake-up', () => {
  it('hints once when it is connected and with each notification', async () => {
    const { heard, events } = listen(ledgerOf().url);
    await expect.poll(() => heard.hints).toBe(1);
    await notify();
    await expect.poll(() => heard.hints).toBe(2);
    expect(events).toEqual(['listener.connected']);
  });

  it('leaves nothing behind when it is stopped, twice if need be, and can be started again', async () => {
    const { wakeUp, heard } = listen(ledgerOf().url);
    await expect.poll(() => heard.hints).toBe(1);
    await wakeUp.stop();
    await wakeUp.stop();
    expect(await listeners()).toEqual([]);
    wakeUp.start(() => (heard.hints += 10));
    await expect.poll(() => heard.hints).toBe(11);
  });

  it('stops while it is still trying to connect', async () => {
    const { wakeUp, events } = listen('postgresql://127.0.0.1:1/none', {
      ...TIMING,
      firstPauseMs: 60_000,
      longestPauseMs: 60_000,
    });
    await expect.poll(() => events).toEqual(['listener.lost']);
    await wakeUp.stop();
  });

  it('connects again when the server ends its connection, and hints because something may have been missed', async () => {
    const { heard, events } = listen(ledgerOf().url);
    await expect.poll(() => heard.hints).toBe(1);
    const [listener] = await listeners();
    await ledgerOf().sql('select pg_terminate_backend($1)', [listener!.pid]);
    await expect.poll(() => events).toEqual(['listener.connected', 'listener.lost', 'listener.connected']);
    expect(heard.hints).toBe(2);
    await notify();
    await expect.poll(() => heard.hints).toBe(3);
  });

  it('notices a connection that died in silence, and tells of an outage once', async () => {
    const proxy = await TcpProxy.to(ledgerOf().url);
    stops.push(() => proxy.close());
    const { heard, events } = listen(proxy.url, { ...TIMING, checkTimeoutMs: 1_000 });
    await expect.poll(() => heard.hints).toBe(1);
    proxy.goSilent();
    await expect.poll(() => events).toEqual(['listener.connected', 'listener.lost']);
    proxy.recover();
    await expect.poll(() => events).toEqual(['listener.connected', 'listener.lost', 'listener.connected']);
    await notify();
    await expect.poll(() => heard.hints).toBe(3);
  });

  it.each([
    ['as the data source connects', (_url: string) => null],
    ['on a URL of its own', (url: string) => url],
  ])('listens %s', async (_name, listenUrl) => {
    const { dataSource, url, schema } = ledgerOf();
    const events: EngineEvent[] = [];
    const { wakeUp } = createStores(dataSource, {
      schema,
      emit: (event) => events.push(event),
      listenUrl: listenUrl(url),
    });
    stops.push(() => wakeUp.stop());
    let hints = 0;
    wakeUp.start(() => (hints += 1));
    await expect.poll(() => hints).toBe(1);
    expect(events).toEqual([{ type: 'listener.connected' }]);
  });

  it('opens no connection where listening is switched off', async () => {
    const { dataSource, schema } = ledgerOf();
    const { wakeUp } = createStores(dataSource, { schema, emit: () => {}, listenUrl: false });
    wakeUp.start(() => {
      throw new Error('no hints');
    });
    await notify();
    expect(await listeners()).toEqual([]);
    await wakeUp.stop();
  });
});
