import { errorText } from '../../nest/loggable-error.js';
import type { TickReport } from '../../nest/run-tick.js';

/** What a pass did, for machines. */
export const tickJson = (report: TickReport) => ({
  ...report,
  failures: report.failures.map(({ job, error }) => ({ job, error: errorText(error) })),
});

/** What a pass did, as one line for people. */
export function tickText(report: TickReport): string {
  const { now, schedules, inserted, skipped, leftOut, nextAt, failures, overduePeriods, durationMs } = report;
  const next = nextAt === null ? 'No period is due any more.' : `The next period is due at ${nextAt.toISOString()}.`;
  const failed = failures.length === 0 ? '' : ` Standing still: ${failures.map(({ job }) => job).join(', ')}.`;
  const overdue = overduePeriods === 0 ? '' : ` Overdue: ${overduePeriods} period(s).`;
  return `Ticked at ${now.toISOString()} in ${durationMs} ms: ${schedules} schedule(s) were due; ${inserted} execution(s) added, ${skipped} of them as skipped; ${leftOut} period(s) left out. ${next}${failed}${overdue}`;
}
