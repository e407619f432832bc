import { MINUTE_MS } from '../duration.js';
import type { PauseNote } from '../ports/job-reader.js';
import type { QueueSummary } from '../ports/queue-store.js';

/** What somebody on call should look at, the most urgent kinds first. */
export const ATTENTION_KINDS = [
  'missed-period',
  'schedule-behind',
  'no-worker',
  'breaker-open',
  'backlog',
  'dead-letters',
  'queue-paused',
  'job-paused',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** One thing to look at. */
export interface Attention {
  readonly kind: AttentionKind;
  /** The job or the queue. */
  readonly subject: string;
  /** One sentence. */
  readonly text: string;
  /** Where to look. */
  readonly link: { readonly job: string } | { readonly queue: string };
}

/** What attention is judged from. */
export interface AttentionFacts {
  readonly missed: readonly string[];
  readonly behind: readonly string[];
  readonly unhandled: readonly string[];
  readonly queues: readonly Pick<QueueSummary, 'name' | 'pause' | 'breaker' | 'oldestReadyMs'>[];
  readonly jobs: readonly {
    readonly jobName: string;
    readonly deadLetters: number;
    readonly pause: PauseNote | null;
  }[];
}

const MAX_ITEMS = 50;
/** A queue whose oldest ready execution has waited longer has a backlog. */
const BACKLOG_MS = 15 * MINUTE_MS;

/** What needs attention, at most 50: the most urgent kinds first, within dead letters the most of them. */
export function attention(facts: AttentionFacts): readonly Attention[] {
  return ATTENTION_KINDS.flatMap((kind) => OF_KIND[kind](facts)).slice(0, MAX_ITEMS);
}

const ofJob = (kind: AttentionKind, job: string, text: string): Attention => ({
  kind,
  subject: job,
  text,
  link: { job },
});

const ofQueue = (kind: AttentionKind, queue: string, text: string): Attention => ({
  kind,
  subject: queue,
  text,
  link: { queue },
});

const OF_KIND: Readonly<Record<AttentionKind, (facts: AttentionFacts) => readonly Attention[]>> = {
  'missed-period': ({ missed }) =>
    missed.map((job) => ofJob('missed-period', job, 'It has missed periods within the last day.')),
  'schedule-behind': ({ behind }) =>
    behind.map((job) =>
      ofJob('schedule-behind', job, 'It is due for more than a minute, and no scheduler records it.'),
    ),
  'no-worker': ({ unhandled }) =>
    unhandled.map((job) => ofJob('no-worker', job, 'Executions wait, and no live worker handles the job.')),
  'breaker-open': ({ queues }) =>
    queues.flatMap(({ name, breaker }) =>
      breaker === null || breaker.state === 'closed' ? [] : [ofQueue('breaker-open', name, breakerText(breaker))],
    ),
  backlog: ({ queues }) =>
    queues.flatMap(({ name, pause, oldestReadyMs }) =>
      pause === null && oldestReadyMs !== null && oldestReadyMs > BACKLOG_MS
        ? [ofQueue('backlog', name, `Its oldest ready execution has waited for ${minutes(oldestReadyMs)} minutes.`)]
        : [],
    ),
  'dead-letters': ({ jobs }) =>
    jobs
      .filter(({ deadLetters }) => deadLetters > 0)
      .toSorted((a, b) => b.deadLetters - a.deadLetters)
      .map(({ jobName, deadLetters }) => ofJob('dead-letters', jobName, deadLettersText(deadLetters))),
  'queue-paused': ({ queues }) =>
    queues.flatMap(({ name, pause }) => (pause === null ? [] : [ofQueue('queue-paused', name, pauseText(pause))])),
  'job-paused': ({ jobs }) =>
    jobs.flatMap(({ jobName, pause }) => (pause === null ? [] : [ofJob('job-paused', jobName, pauseText(pause))])),
};

const breakerText = ({ state, openUntil }: NonNullable<QueueSummary['breaker']>): string =>
  state === 'open' && openUntil !== null
    ? `Its breaker is open: nothing starts before ${openUntil.toISOString()}.`
    : 'Its breaker is half-open: probes are running.';

const deadLettersText = (count: number): string =>
  count === 1
    ? 'One execution failed, and nobody has acknowledged it.'
    : `${count} executions failed, and nobody has acknowledged them.`;

const pauseText = ({ since, actor, reason }: PauseNote): string =>
  `Paused since ${since.toISOString()}${actor === null ? '' : ` by ${actor}`}${reason === null ? '.' : `: ${reason}`}`;

const minutes = (ms: number): number => Math.floor(ms / MINUTE_MS);
