// Many schedules, all due in the same second.
import { OURS } from '../measure.mjs';
import { limit } from '../targets.mjs';

const REGISTERED_AT = new Date('2026-08-14T05:30:00Z');
const DUE_AT = new Date('2026-08-14T06:00:00Z');

/** @type {import('../measure.mjs').Measure} */
export const dueAtOnce = {
  name: 'due-at-once',
  what: ({ dueSchedules }) => `${dueSchedules} schedules due in the same second, written by one process`,
  contestants: [OURS],
  targets: () => [limit('ours', 'seconds', { atMost: 3 })],
  seconds: ({ dueSchedules }) => dueSchedules / 1_500,
  async run(bench) {
    const { dueSchedules } = bench.sizes;
    const ledger = await bench.ledger(await bench.database());
    const jobs = Array.from({ length: dueSchedules }, (_, index) => ({ name: `job-${index}`, cron: '0 * * * *' }));
    const definitions = await ledger.register(jobs, REGISTERED_AT);
    const scheduler = ledger.scheduler(definitions);
    // The first tick after a start only computes when each is due.
    await scheduler.tickAt(REGISTERED_AT);
    const figures = await bench.timed(dueSchedules, () => scheduler.tickAt(DUE_AT));
    await ledger.expectExecutions(dueSchedules);
    return figures;
  },
};
