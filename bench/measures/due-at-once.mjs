// Many schedules, all due in the same second.
import { timed } from '../measure.mjs';

const SCHEDULES = 10_000;
const REGISTERED_AT = new Date('2026-08-14T05:30:00Z');
const DUE_AT = new Date('2026-08-14T06:00:00Z');

/** @type {import('../measure.mjs').Measure} */
export const dueAtOnce = {
  name: 'due-at-once',
  what: `${SCHEDULES} schedules due in the same second, written by one process`,
  target: { seconds: 3 },
  async run(ledger) {
    const jobs = Array.from({ length: SCHEDULES }, (_, index) => ({ name: `job-${index}`, cron: '0 * * * *' }));
    const definitions = await ledger.register(jobs, REGISTERED_AT);
    const scheduler = ledger.scheduler(definitions);
    // The first tick after a start only computes when each is due.
    await scheduler.tickAt(REGISTERED_AT);
    return timed(ledger, async () => {
      await scheduler.tickAt(DUE_AT);
      return ledger.executions();
    });
  },
};
