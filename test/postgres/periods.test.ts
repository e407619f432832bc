import { describe, expect, it } from 'vitest';
import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import { PeriodView } from '../../libs/scheduled-jobs/src/http/views/period-view.js';
import type { JobCatalog } from '../../libs/scheduled-jobs/src/nest/jobs/job-catalog.js';
import { pruneExecution, tickAll } from '../support/backfills.js';
import { scheduledJob } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';

const ledgerOf = useLedger();
const HOUR = 3_600_000;
const hourly = (options: object = {}) => scheduledJob('0 * * * *', { name: 'hourly', ...options });
const key = (hour: number) => `hourly:2026-03-01T${String(hour).padStart(2, '0')}:00+00:00`;

async function ticked(definitions: readonly JobDefinition[], now: Date, from: Date = T0): Promise<void> {
  await ledgerOf().stores.schedules.register(definitions, from);
  await tickAll(ledgerOf(), definitions, now);
}

/** What an application with these jobs shows of a window, at a moment. */
async function shown(
  definitions: readonly JobDefinition[],
  options: { from?: Date; to: Date; now: Date; limit?: number },
) {
  const { from = T0, to, now, limit = 1_000 } = options;
  const { stores } = ledgerOf();
  const catalog = { entries: () => new Map(definitions.map((definition) => [definition.name, { definition }])) };
  const view = new PeriodView(stores, catalog as unknown as JobCatalog);
  const request = { names: null, afterName: null, limit: 10, from, to, now };
  const standings = await stores.schedulePeriods.standings(request);
  return {
    all: await view.last(standings, { from, to }, limit),
    first: await view.first(standings[0]!, { from, to }, limit),
  };
}

const states = (periods: { items: readonly { state: string; reason: string | null }[] }) =>
  periods.items.map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`));

async function forget(lost: string): Promise<void> {
  const { id } = await ledgerOf().row<{ id: string }>('delete from executions where key = $1 returning id', [lost]);
  await ledgerOf().sql('delete from work where execution_id = $1', [id]);
  await ledgerOf().sql('delete from keys where execution_id = $1', [id]);
}

describe('the periods of a schedule', () => {
  it('are all there: executed, pruned, missing, overdue and to come', async () => {
    await ticked([hourly()], after(5 * HOUR));
    await pruneExecution(ledgerOf(), key(13));
    await forget(key(15));
    const { first } = await shown([hourly()], { to: after(9 * HOUR), now: after(7 * HOUR + 30_000) });
    expect(states(first)).toEqual([
      'pruned',
      'pending',
      'missing',
      'pending',
      'pending',
      'overdue',
      'not-due',
      'not-due',
    ]);
    expect(first.items[1]).toMatchObject({
      key: key(14),
      executionId: expect.any(String),
      scheduledFor: after(2 * HOUR),
    });
    expect(first.items[2]).toMatchObject({ key: null, executionId: null, period: '2026-03-01T15:00+00:00' });
    expect(first).toMatchObject({ timeZone: 'UTC', nextFrom: null, unreadable: null });
  });

  it('tell why a stretch was left out, and that it stands still', async () => {
    const job = hourly({ catchUp: { window: '2h' } });
    await ticked([job], after(5 * HOUR));
    await ledgerOf().stores.suspensions.pause('hourly', { actor: 'anna', reason: 'moving', now: after(6 * HOUR + 1) });
    const { first } = await shown([job], { to: after(8 * HOUR), now: after(7 * HOUR + 120_000) });
    expect(states(first)).toEqual([
      ...Array<string>(3).fill('skipped-range catch-up'),
      ...Array<string>(2).fill('pending'),
      'overdue',
      'suspended paused',
    ]);
  });

  it('begin with the first version, but show what was executed before', async () => {
    await ticked([hourly()], after(3 * HOUR), after(2 * HOUR));
    expect(states((await shown([hourly()], { to: after(4 * HOUR), now: after(3 * HOUR) })).first)).toEqual(['pending']);
    await ledgerOf().insert({
      jobName: 'hourly',
      key: key(13),
      period: '2026-03-01T13:00+00:00',
      scheduledFor: after(HOUR),
    });
    const { first } = await shown([hourly()], { to: after(4 * HOUR), now: after(3 * HOUR) });
    expect(first.items.map((cell) => cell.key)).toEqual([key(13), key(15)]);
  });

  it('are found page by page, however long before the first version the window begins', async () => {
    await ticked([hourly()], after(3 * HOUR));
    const long = { from: after(-400 * 24 * HOUR), to: after(4 * HOUR), now: after(3 * HOUR) };
    const { first } = await shown([hourly()], { ...long, limit: 2 });
    expect(first.items.map((cell) => cell.key)).toEqual([key(13), key(14)]);
    const { first: rest } = await shown([hourly()], { ...long, from: first.nextFrom!, limit: 2 });
    expect(rest).toMatchObject({ items: [{ key: key(15) }], nextFrom: null });
  });

  it('go by the version that was in force', async () => {
    await ticked([hourly()], after(2 * HOUR));
    const changed = scheduledJob('30 * * * *', { name: 'hourly' });
    await ticked([changed], after(4 * HOUR), after(2 * HOUR + 1));
    const { first } = await shown([changed], { to: after(4 * HOUR + 1), now: after(4 * HOUR) });
    expect(first.items.map(({ scheduledFor }) => scheduledFor)).toEqual(
      [1, 2, 2.5, 3.5].map((hours) => after(hours * HOUR)),
    );
    expect(states(first)).toEqual(Array(4).fill('pending'));
  });

  it('are the newest of the window in the grid, the oldest on a page of one job', async () => {
    await ticked([hourly(), hourly({ name: 'other' })], after(5 * HOUR));
    const { all, first } = await shown([hourly()], { to: after(6 * HOUR), now: after(5 * HOUR), limit: 2 });
    expect(all.map(({ jobName }) => jobName)).toEqual(['hourly', 'other']);
    expect(all[0]).toMatchObject({ hasMore: true, items: [{ key: key(16) }, { key: key(17) }] });
    expect(first).toMatchObject({ nextFrom: after(3 * HOUR), items: [{ key: key(13) }, { key: key(14) }] });
  });

  it('count under earlier names', async () => {
    await ticked([hourly({ name: 'old' })], after(2 * HOUR));
    const renamed = hourly({ aliases: ['old'] });
    await ticked([renamed], after(4 * HOUR), after(2 * HOUR + 1));
    const { all, first } = await shown([renamed], { to: after(5 * HOUR), now: after(4 * HOUR) });
    expect(all).toHaveLength(1);
    expect(first.items.map((cell) => cell.key?.split(':')[0])).toEqual(['old', 'old', 'hourly', 'hourly']);
  });

  it('cannot be named where their function is not, and that is said', async () => {
    await ticked([hourly({ period: (at: Date) => `P${at.getTime()}` })], after(2 * HOUR));
    const { first } = await shown([], { to: after(5 * HOUR), now: after(2 * HOUR) });
    expect(first).toMatchObject({ items: [], unreadable: expect.stringContaining('named by a function') });
  });
});
