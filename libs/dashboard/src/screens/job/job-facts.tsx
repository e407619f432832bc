import type { ComponentChildren, JSX } from 'preact';
import type { JobDetail, ScheduleDetail } from '../../api/answers.js';
import { Link } from '../../router/link.js';
import { withQuery } from '../../router/route.js';
import { settingText } from '../../time/duration-text.js';
import { Ago, Instant } from '../../time/instant.js';
import { Facts } from '../../ui/facts.js';
import { countText } from '../../ui/number-text.js';
import { stateText } from '../../ui/state-text.js';

interface JobFactsProps {
  readonly of: JobDetail;
  readonly schedule: ScheduleDetail | null;
}

type FactsOf = Readonly<Record<string, ComponentChildren>>;

/** The options of a job and where its schedule stands, one below the other. */
export const JobFacts = ({ of, schedule }: JobFactsProps): JSX.Element => (
  <>
    {schedule !== null && <Facts of={scheduleFacts(schedule)} />}
    <Facts of={limitsOf(of)} />
    {of.options !== null && <Facts of={codeFacts(of.options)} />}
  </>
);

function scheduleFacts({ jobName, nextAt, cursorAt, version, retryAt }: ScheduleDetail): FactsOf {
  return {
    'Next fire': nextAt && <Ago at={nextAt} job={jobName} />,
    'Recorded to': <Instant at={cursorAt} job={jobName} />,
    Version: version,
    'Tried again': retryAt && <Instant at={retryAt} job={jobName} />,
  };
}

function limitsOf(of: JobDetail): FactsOf {
  const { jobName, queue, deadLetters } = of;
  return {
    Queue: queue && <Link to={withQuery('/executions', { queue })}>{queue}</Link>,
    'Dead letters':
      deadLetters === 0 ? (
        'none'
      ) : (
        <Link to={withQuery('/dead-letters', { job: jobName })}>{countText(deadLetters)}</Link>
      ),
    Overlap: of.overlap,
    Concurrency: of.concurrency,
    'Start within': of.startWithinMs === null ? null : settingText(of.startWithinMs),
    Deadline: settingText(of.deadlineMs),
    Lease: settingText(of.leaseMs),
    Kept: keptText(of.retentionMs),
  };
}

function codeFacts(options: NonNullable<JobDetail['options']>): FactsOf {
  const { place, aliases, priority, retry, timeoutMs, transactional, schedule } = options;
  return {
    Method: <code>{place}</code>,
    'Other names': aliases.length === 0 ? null : aliases.join(', '),
    Priority: priority,
    Attempts: `${retry.maxAttempts} at most`,
    Timeout: settingText(timeoutMs),
    Transactional: transactional ? 'yes' : null,
    'Catch-up': schedule && catchUpText(schedule.catchUp),
  };
}

const catchUpText = (policy: object): string =>
  Object.entries(policy)
    .filter(([, value]) => value !== null)
    .map(([name, value]) =>
      name.endsWith('Ms')
        ? `${name.slice(0, -2)} ${settingText(Number(value))}`
        : `${name} ${typeof value === 'number' ? countText(value) : String(value)}`,
    )
    .join(', ');

/** The states that are kept for the same time together. */
function keptText(retention: JobDetail['retentionMs']): string {
  const states = Object.keys(retention) as (keyof typeof retention)[];
  const byTime = new Map<string, string>();
  for (const state of states) {
    const time = settingText(retention[state] ?? 0);
    const others = byTime.get(time);
    byTime.set(time, `${others === undefined ? '' : `${others}, `}${stateText(state).toLowerCase()}`);
  }
  return [...byTime].map(([time, of]) => `${time}: ${of}`).join('; ');
}
