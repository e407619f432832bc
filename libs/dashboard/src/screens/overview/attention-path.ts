import type { Attention } from '../../api/answers.js';
import { pathOf, withQuery } from '../../router/route.js';
import type { Mark } from '../../ui/state-text.js';

type Kind = Attention['kind'];

const MARKS: Readonly<Record<Kind, Mark>> = {
  'missed-period': 'missing',
  'schedule-behind': 'overdue',
  'no-worker': 'attention',
  'breaker-open': 'failed',
  backlog: 'attention',
  'dead-letters': 'failed',
  'queue-paused': 'paused',
  'job-paused': 'paused',
};

const PATHS: Readonly<Record<Kind, (subject: string) => string>> = {
  'missed-period': (job) => pathOf('periods', job),
  'schedule-behind': (job) => pathOf('periods', job),
  'no-worker': (job) => pathOf('jobs', job),
  'breaker-open': () => '/queues',
  backlog: (queue) => withQuery('/executions', { queue, state: 'pending' }),
  'dead-letters': (job) => withQuery('/dead-letters', { job }),
  'queue-paused': () => '/queues',
  'job-paused': (job) => pathOf('jobs', job),
};

export const attentionMark = (kind: Kind): Mark => MARKS[kind] ?? 'attention';

/** Where something can be done about it. A newer server's kind leads to the executions. */
export const attentionPath = ({ kind, subject }: Attention): string => PATHS[kind]?.(subject) ?? '/executions';
