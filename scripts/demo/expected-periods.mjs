// Which periods the calendar names within a stretch of time, computed apart from the ledger's own ticks.
import { parseSchedule } from 'nestjs-scheduled-jobs';

/** @typedef {import('./ledger-reader.mjs').ScheduleVersionRow} ScheduleVersionRow */
/** @typedef {import('./ledger-reader.mjs').SkippedRangeRow} SkippedRangeRow */

const BATCH_SIZE = 10_000;

/**
 * The keys of the periods of one job from a cursor up to where the cursor stands now, those left out on record excepted.
 * @param {readonly ScheduleVersionRow[]} versions of the job, oldest first
 * @param {Date | undefined} cursorBefore default the first cursor of all
 * @param {readonly SkippedRangeRow[]} skippedRanges of the job
 * @returns {readonly string[]}
 */
export function expectedKeys(versions, cursorBefore, skippedRanges) {
  return versions.flatMap((version, index) => {
    const after = latest(cursorBefore ?? version.validFrom, version.validFrom);
    const until = earliest(versions[index + 1]?.validFrom ?? version.cursorAt, version.cursorAt);
    return occurrences(version, after, until)
      .filter(({ scheduledFor }) => !skippedRanges.some((range) => covers(range, scheduledFor)))
      .map(({ period }) => `${version.job}:${period}`);
  });
}

/**
 * @param {ScheduleVersionRow} version
 * @param {Date} after
 * @param {Date} until
 */
function occurrences({ expression, timeZone, shape }, after, until) {
  const { disabled, ...calendar } = shape; // what a disabled job leaves out is on record as skipped ranges
  const schedule = parseSchedule(expression, { timeZone, ...calendar });
  const found = [];
  for (let from = after; from < until;) {
    const batch = schedule.occurrences({ after: from, until, limit: BATCH_SIZE });
    found.push(...batch);
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH_SIZE) break;
    from = last.scheduledFor;
  }
  return found;
}

/**
 * @param {SkippedRangeRow} range
 * @param {Date} at
 */
const covers = ({ fromAt, toAt }, at) => fromAt <= at && at <= toAt;

/**
 * @param {Date} a
 * @param {Date} b
 */
const latest = (a, b) => (a > b ? a : b);

/**
 * @param {Date} a
 * @param {Date} b
 */
const earliest = (a, b) => (a < b ? a : b);
