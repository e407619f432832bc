// A long outage of schedules that are due often.
import { timed } from '../measure.mjs';

const SCHEDULES = 10;
const MISSED_EACH = 10_000;
const REGISTERED_AT = new Date('2026-08-14T06:00:00Z');
const BACK_AT = new Date(REGISTERED_AT.getTime() + MISSED_EACH * 1_000);

/** @type {import('../measure.mjs').Measure} */
export const catchUp = {
  name: 'catch-up',
  what: `${SCHEDULES * MISSED_EACH} missed occurrences of ${SCHEDULES} schedules, caught up by one process`,
  target: { perSecond: 10_000 },
  async run(ledger) {
    const options = { catchUp: { window: '1d', limit: MISSED_EACH } };
    const jobs = Array.from({ length: SCHEDULES }, (_, index) => ({
      name: `job-${index}`,
      cron: '* * * * * *',
      options,
    }));
    const definitions = await ledger.register(jobs, REGISTERED_AT);
    const scheduler = ledger.scheduler(definitions);
    return timed(ledger, async () => {
      await scheduler.tickAt(BACK_AT);
      return ledger.executions();
    });
  },
};
