import { describe, expect, it } from 'vitest';
import { simulate } from '../../libs/scheduled-jobs/src/core/schedule/simulate.js';
import { Scheduler } from '../../libs/scheduled-jobs/src/engine/scheduler.js';
import { EventRecorder, scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';

const FROM = new Date('2026-10-24T20:10:00Z');
const TO = new Date('2026-10-25T06:00:00Z');
const OUTAGE = { from: new Date('2026-10-24T21:05:00Z'), to: new Date('2026-10-25T03:20:00Z') };

describe('simulate', () => {
  const ledger = useLedger();

  /** Ticks at each moment of the range at which a scheduler is there and something may be due. */
  function moments(): readonly Date[] {
    const minutes = (TO.getTime() - FROM.getTime()) / 60_000;
    return Array.from({ length: minutes + 1 }, (_, minute) => new Date(FROM.getTime() + minute * 60_000)).filter(
      (at) => at < OUTAGE.from || at >= OUTAGE.to,
    );
  }

  it.each([
    ['*/20 * * * *', {}],
    ['*/20 * * * *', { catchUp: { policy: 'latest' } }],
    ['30 2 * * *', { catchUp: { window: '1h' } }],
    ['0 * * * *', { catchUp: { limit: 2, maxPerMinute: 6 } }],
    ['*/15 2 * * *', { period: 'day' }],
    ['*/20 * * * *', { disabled: true }],
  ] as const)('gives the rows of the real scheduler for %s %o', async (cron, options) => {
    const job = { name: 'job', cron, timeZone: 'Europe/Berlin', ...options };
    const definition = scheduledJob(cron, { timeZone: 'Europe/Berlin', ...options });
    let now = FROM;
    const clock = { monotonicMs: () => performance.now(), boundNow: () => now };
    const store = ledger().stores.schedules;
    await store.register([definition], FROM);
    const scheduler = new Scheduler({ store, definitions: [definition], clock, emit: new EventRecorder().emit });
    for (now of moments()) await scheduler.runOnce();
    const rows = await ledger().sql(
      `select e.key, e.scheduled_for as "scheduledFor", e.created_at as "insertedAt", w.run_at as "runAt"
       from executions e join work w on w.execution_id = e.id order by e.id`,
    );
    const ranges = await ledger().sql(
      `select from_at as "from", to_at as "to", occurrences::int as count, reason, actor from skipped_ranges order by id`,
    );
    const simulation = simulate(job, { from: FROM, to: TO, outages: [OUTAGE] });
    expect(simulation.executions).toMatchObject(rows);
    expect(simulation.executions).toHaveLength(rows.length);
    expect(simulation.skippedRanges).toEqual(ranges);
    expect(rows.length + ranges.length).toBeGreaterThan(0);
  });
});
