// A long outage of schedules that are due often.
import { OURS } from '../measure.mjs';
import { limit } from '../targets.mjs';

const SCHEDULES = 10;
const REGISTERED_AT = new Date('2026-08-14T06:00:00Z');

/** @type {import('../measure.mjs').Measure} */
export const catchUp = {
  name: 'catch-up',
  what: ({ missedEach }) =>
    `${SCHEDULES * missedEach} missed occurrences of ${SCHEDULES} schedules, caught up by one process`,
  contestants: [OURS],
  targets: () => [limit('ours', 'perSecond', { atLeast: 10_000 })],
  seconds: ({ missedEach }) => missedEach / 1_200,
  async run(bench) {
    const { missedEach } = bench.sizes;
    const ledger = await bench.ledger(await bench.database());
    const options = { catchUp: { window: '1d', limit: missedEach } };
    const jobs = Array.from({ length: SCHEDULES }, (_, index) => ({
      name: `job-${index}`,
      cron: '* * * * * *',
      options,
    }));
    const definitions = await ledger.register(jobs, REGISTERED_AT);
    const scheduler = ledger.scheduler(definitions);
    const backAt = new Date(REGISTERED_AT.getTime() + missedEach * 1_000);
    const figures = await bench.timed(SCHEDULES * missedEach, () => scheduler.tickAt(backAt));
    await ledger.expectExecutions(SCHEDULES * missedEach);
    return figures;
  },
};
