import { MINUTE_MS } from '../../core/duration.js';
import type { CappedCount } from '../../core/ports/capped-count.js';
import type { JobRecord, PauseNote } from '../../core/ports/job-reader.js';
import type { ScheduleSummary } from '../../core/ports/ledger-reader.js';
import type { QueueView } from '../../nest/client/queues.js';
import { spanText } from '../output/table.js';
import { listed, ok, problem, warning, type Finding } from './finding.js';

/** A tick comes at most 30 s after its period. */
const BEHIND_MS = MINUTE_MS;

/** Schedules that fail, are behind or orphaned. */
export function scheduleFindings(schedules: readonly ScheduleSummary[]): readonly Finding[] {
  const current = schedules.filter(({ renamedTo }) => renamedTo === null);
  const failing = current.filter(({ lastError }) => lastError !== null);
  const behind = current.filter(({ lastError, behindMs }) => lastError === null && (behindMs ?? 0) > BEHIND_MS);
  const orphaned = current.filter(({ suspension }) => suspension?.kind === 'orphaned');
  const longest = Math.max(...behind.map(({ behindMs }) => behindMs ?? 0));
  const findings = [
    ...failing.map(({ scheduleName, lastError }) =>
      problem(
        'schedules',
        `The schedule "${scheduleName}" stands still: ${lastError}`,
        'Correct the function that it names (period, exclude) and deploy; its periods are caught up.',
      ),
    ),
    ...(behind.length === 0
      ? []
      : [
          problem(
            'schedules',
            `Nobody keeps up with ${listed(behind.map(({ scheduleName }) => scheduleName))}: due for up to ${spanText(longest)}.`,
            'Look at the logs of the processes that tick; start one, or run "tick". What is due is caught up.',
          ),
        ]),
    ...(orphaned.length === 0
      ? []
      : [
          warning(
            'schedules',
            `No process has carried these for ten minutes: ${listed(orphaned.map(({ scheduleName }) => scheduleName))}.`,
            'If they were renamed, name the old one in "aliases"; if they were taken away, this is as it should be.',
          ),
        ]),
  ];
  return findings.length > 0 ? findings : [ok('schedules', `${current.length} schedule(s), none behind.`)];
}

/** Jobs that rest, or that nobody can run. */
export function jobFindings(jobs: readonly JobRecord[], now: Date): readonly Finding[] {
  const unhandled = jobs.filter(({ unhandledSince, renamedTo }) => unhandledSince !== null && renamedTo === null);
  const findings = [
    ...(unhandled.length === 0
      ? []
      : [
          problem(
            'jobs',
            `No live worker handles ${listed(unhandled.map(({ jobName }) => jobName))}: their executions wait.`,
            'Start a worker whose module has the handler and whose "worker.queues" names the queue; or retire the job.',
          ),
        ]),
    ...jobs.flatMap(({ jobName, pause }) =>
      pause === null
        ? []
        : [
            warning(
              'jobs',
              `The job "${jobName}" is paused ${pauseText(pause, now)}`,
              `When the reason is gone: resume ${jobName}`,
            ),
          ],
    ),
  ];
  return findings.length > 0 ? findings : [ok('jobs', `${jobs.length} job(s), none paused, all handled.`)];
}

/** Queues that rest. */
export function queueFindings(queues: readonly QueueView[], now: Date): readonly Finding[] {
  const findings = queues.flatMap(({ name, pause, breaker, ready }) => [
    ...(pause === null
      ? []
      : [
          warning(
            'queues',
            `The queue "${name}" is paused ${pauseText(pause, now)} ${ready} execution(s) wait.`,
            `When the reason is gone: resume --queue ${name}`,
          ),
        ]),
    ...(breaker === null || breaker.state === 'closed'
      ? []
      : [
          warning(
            'queues',
            `The breaker of the queue "${name}" is ${breaker.state}; ${ready} execution(s) wait.`,
            'See with "status" what fails; it closes by itself when probes succeed.',
          ),
        ]),
  ]);
  return findings.length > 0 ? findings : [ok('queues', `${queues.length} queue(s), none paused.`)];
}

/** Failures that nobody has seen to. */
export function deadLetterFindings({ count, capped }: CappedCount): readonly Finding[] {
  if (count === 0) return [ok('failures', 'No dead letters.')];
  return [
    warning(
      'failures',
      `${count}${capped ? ' or more' : ''} dead letter(s).`,
      '"status" groups them by kind of error; "why" tells the cause and the runbook; then "replay" or "acknowledge".',
    ),
  ];
}

function pauseText({ since, actor, reason }: PauseNote, now: Date): string {
  const who = actor === null ? '' : ` by ${actor}`;
  return `since ${spanText(now.getTime() - since.getTime())}${who}${reason === null ? '' : `: ${reason}`}.`;
}
