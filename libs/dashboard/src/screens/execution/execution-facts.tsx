import type { ComponentChildren, JSX } from 'preact';
import type { ExecutionDetail } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { pathOf, withQuery } from '../../router/route.js';
import { durationText } from '../../time/duration-text.js';
import { Instant } from '../../time/instant.js';
import { Facts } from '../../ui/facts.js';

type FactsOf = Readonly<Record<string, ComponentChildren>>;

/** Times, numbers and names of an execution, one below the other. */
export const ExecutionFacts = ({ of }: { readonly of: ExecutionDetail }): JSX.Element => (
  <>
    <Facts of={timesOf(of)} />
    <Facts of={workOf(of)} />
    <Facts of={originOf(of)} />
  </>
);

function timesOf(of: ExecutionDetail): FactsOf {
  const at = (instant: string | null): JSX.Element | null =>
    instant === null ? null : <Instant at={instant} job={of.jobName} />;
  return {
    'Scheduled for': at(of.scheduledFor),
    Period: of.period,
    Interval: of.interval && (
      <>
        {at(of.interval.start)} – {at(of.interval.end)}
      </>
    ),
    'Made at': at(of.createdAt),
    'May run at': at(of.runAt),
    'First started': at(of.firstStartedAt),
    'Last started': of.attempts > 1 ? at(of.startedAt) : null,
    Ended: at(of.finishedAt),
    'Start delay': of.startDelayMs === null ? null : durationText(of.startDelayMs),
    Duration: of.durationMs === null ? null : durationText(of.durationMs),
    Deadline: of.finishedAt === null ? at(of.deadlineAt) : null,
  };
}

const workOf = (of: ExecutionDetail): FactsOf => ({
  Queue: <Link to={withQuery('/executions', { queue: of.queue })}>{of.queue}</Link>,
  Priority: of.priority,
  Worker: of.workerId && <Link to={withQuery('/executions', { worker: of.workerId })}>{of.workerId}</Link>,
  Lease: of.leaseUntil && (
    <>
      token {of.leaseToken}, until <Instant at={of.leaseUntil} job={of.jobName} />
    </>
  ),
  'Lost leases': of.lostLeases === 0 ? null : of.lostLeases,
  'Concurrency key': of.concurrencyKey,
  Attempts: `${of.attempts} of ${of.maxAttempts}`,
});

/** A newer execution of its job has taken its place. */
const isReplaced = ({ state, reason }: ExecutionDetail): boolean => state !== 'skipped' || reason === 'superseded';

const originOf = (of: ExecutionDetail): FactsOf => ({
  Trigger: of.actor === null ? of.trigger : `${of.trigger} by ${of.actor}`,
  Backfill: of.backfillId && <Link to={pathOf('backfills', of.backfillId)}>{of.backfillId}</Link>,
  [isReplaced(of) ? 'Replaced by' : 'Blocked by']: of.blockedBy && (
    <Link to={pathOf('executions', of.blockedBy)}>{of.blockedByKey ?? of.blockedBy}</Link>
  ),
  'Asked to cancel': of.cancelRequestedAt && <Instant at={of.cancelRequestedAt} job={of.jobName} />,
  'Canceled by':
    of.canceledBy && of.blockedBy === null && `${of.canceledBy.actor ?? 'somebody'}: ${of.canceledBy.reason ?? ''}`,
  Acknowledged: of.acknowledged && (
    <>
      {of.acknowledged.actor ?? 'somebody'}, <Instant at={of.acknowledged.at} job={of.jobName} />
    </>
  ),
});
