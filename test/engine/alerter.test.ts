import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Alert } from '../../libs/scheduled-jobs/src/core/alert/alert.js';
import { Alerter, type AlerterDependencies } from '../../libs/scheduled-jobs/src/engine/alerter.js';
import { failures, RULES } from '../support/alerts.js';
import { EventRecorder, eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after } from '../support/ledger.js';
import { SettableClock } from '../support/settable-clock.js';
import { startStopStress } from '../support/start-stop-stress.js';

const ledgerOf = useLedger();
const started: Alerter[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((alerter) => alerter.stop()));
});

function setUp(dependencies: Partial<AlerterDependencies> = {}) {
  const recorder = new EventRecorder();
  const clock = new SettableClock(after(0));
  const { alerts: store, leases } = ledgerOf().stores;
  const parts = { store, leases, clock, emit: recorder.emit, rules: [RULES.failure], delivery: null, onAlert: null };
  const alerter = new Alerter({ ...parts, ...dependencies });
  started.push(alerter);
  return { alerter, recorder, clock };
}

/** An alerter that watches failures since T0, with some failures to tell. */
async function withFailures(count: number, dependencies: Partial<AlerterDependencies> = {}) {
  const all = setUp(dependencies);
  await all.alerter.runOnce();
  await failures(ledgerOf(), count, { at: after(1_000) });
  all.clock.now = after(2_000);
  return all;
}

const unannounced = () =>
  ledgerOf().sql<{ id: string }>('select id from alerts where announce_at is not null order by id');

describe('One pass of alerts', () => {
  it('raises what is new and tells the application and the events of it, the oldest first', async () => {
    const told: Alert[] = [];
    const { alerter, recorder } = await withFailures(12, { onAlert: (alert) => told.push(alert) });
    expect(await alerter.runOnce()).toEqual({ raised: 12, announced: 12, hasMore: false, failures: [] });
    expect(await alerter.runOnce()).toEqual({ raised: 0, announced: 0, hasMore: false, failures: [] });
    const ids = told.map(({ alertId }) => Number(alertId));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(recorder.of('alert.raised').map(({ alert }) => alert)).toEqual(told);
    expect(told[0]).toMatchObject({ kind: 'failure', subject: 'job', detail: { errorMessage: 'boom' } });
    expect(await unannounced()).toEqual([]);
  });

  it('notes that an alert was announced only afterwards, so that one whose process died is told again', async () => {
    const before: number[] = [];
    const onAlert = async () => before.push((await unannounced()).length);
    const { alerter } = await withFailures(2, { onAlert });
    await alerter.runOnce();
    expect(before).toEqual([2, 1]);
  });

  it('tells an alert again a minute after the application could not take it', async () => {
    const onAlert = vi.fn<(alert: Alert) => unknown>().mockRejectedValueOnce(new Error('no mail'));
    const { alerter, recorder, clock } = await withFailures(1, { onAlert });
    expect(await alerter.runOnce()).toMatchObject({ raised: 1, announced: 0 });
    expect(recorder.of('service.failed')).toMatchObject([
      { service: 'alerts: onAlert', error: { message: 'no mail' } },
    ]);
    expect(await alerter.runOnce()).toMatchObject({ announced: 0 });
    clock.now = after(63_000);
    expect(await alerter.runOnce()).toMatchObject({ announced: 1 });
    expect(onAlert).toHaveBeenCalledTimes(2);
  });

  it('waits for an application that does not answer only so long', async () => {
    const { alerter, recorder } = await withFailures(1, { onAlert: () => new Promise(() => undefined), answerMs: 20 });
    expect(await alerter.runOnce()).toMatchObject({ announced: 0 });
    expect(recorder.of('service.failed')).toMatchObject([
      { error: { message: 'onAlert gave no answer within 20 ms.' } },
    ]);
  });

  it('raises a hundred at a time and says that there is more', async () => {
    const { alerter } = await withFailures(250);
    const passes = [await alerter.runOnce(), await alerter.runOnce(), await alerter.runOnce()];
    expect(passes.map((pass) => [pass?.raised, pass?.announced, pass?.hasMore])).toEqual([
      [100, 100, true],
      [100, 100, true],
      [50, 50, false],
    ]);
  });

  it('goes on with the other kinds when one cannot be judged', async () => {
    const { alerts } = ledgerOf().stores;
    const raise = vi.fn<typeof alerts.raise>((rule, request) =>
      rule.kind === 'backlog-age' ? Promise.reject(new Error('no queues')) : alerts.raise(rule, request),
    );
    const store = Object.create(alerts, { raise: { value: raise } }) as typeof alerts;
    const { alerter } = await withFailures(1, { store, rules: [RULES.backlog, RULES.failure] });
    expect(await alerter.runOnce()).toMatchObject({ raised: 1, failures: [{ duty: 'raise backlog-age' }] });
  });

  it('tells of a level that is below its limit again', async () => {
    const { alerter, recorder, clock } = setUp({ rules: [RULES.backlog] });
    await alerter.runOnce();
    await ledgerOf().insert({ queue: 'mail' });
    clock.now = after(1_000_000);
    await alerter.runOnce();
    expect(recorder.of('alert.raised')).toMatchObject([
      { alert: { kind: 'backlog-age', subject: 'mail', closedAt: null } },
    ]);
    await ledgerOf().claim({ queue: 'mail' });
    await alerter.runOnce();
    expect(recorder.of('alert.closed')).toEqual([{ type: 'alert.closed', kind: 'backlog-age', subject: 'mail' }]);
  });
});

describe('Alerts of several instances', () => {
  it('are raised and told once by those that look at the same time', async () => {
    const told: string[] = [];
    const onAlert = ({ alertId }: Alert) => told.push(alertId);
    const everyoneLeads = Object.create(ledgerOf().stores.leases, {
      acquire: {
        value: async ({ name, ttlMs }: { name: string; ttlMs: number }) => ({
          acquired: true,
          lease: { name, ttlMs, leaseToken: '1', acquiredAt: after(0) },
        }),
      },
    }) as AlerterDependencies['leases'];
    const first = await withFailures(150, { onAlert, leases: everyoneLeads });
    const second = setUp({ onAlert, leases: everyoneLeads });
    second.clock.now = after(2_000);
    for (let pass = 0; pass < 3; pass++) await Promise.all([first.alerter.runOnce(), second.alerter.runOnce()]);
    expect(told).toHaveLength(150);
    expect(new Set(told).size).toBe(150);
    expect(await unannounced()).toEqual([]);
  });

  it('are looked for by one of them, and by another one when that stops', async () => {
    const [first, second] = [setUp({ intervalMs: 30 }), setUp({ intervalMs: 30 })];
    const clocks = [first.clock, second.clock];
    for (const clock of clocks) clock.now = null;
    first.alerter.start();
    second.alerter.start();
    await eventually(() =>
      ledgerOf()
        .sql(`select 1 from leases where name like '%:alerts'`)
        .then(({ length }) => length === 1),
    );
    await first.alerter.stop();
    await eventually(() =>
      ledgerOf()
        .sql(`select 1 from alert_watches`)
        .then(({ length }) => length === 1),
    );
    await failures(ledgerOf(), 1, { at: new Date(Date.now() + 1_000) });
    expect(await second.recorder.next('alert.raised')).toMatchObject({ alert: { kind: 'failure' } });
  });

  it('survive starts and stops in any order', async () => {
    const raise = vi.fn<AlerterDependencies['store']['raise']>(async () => ({ raised: 0, closed: [], hasMore: false }));
    const store = Object.create(ledgerOf().stores.alerts, { raise: { value: raise } }) as AlerterDependencies['store'];
    const { alerter, clock } = setUp({ store, intervalMs: 5 });
    clock.now = null;
    const quiet = await startStopStress(alerter, async () => {
      const calls = raise.mock.calls.length;
      await nextTurn();
      return raise.mock.calls.length === calls;
    });
    expect(quiet).toBe(true);
  });
});
