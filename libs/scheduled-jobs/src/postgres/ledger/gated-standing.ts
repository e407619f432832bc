import type { Standing } from '../../core/ports/ledger-reader.js';
import type { QueueRoomColumns } from '../statements/explain-execution.sql.js';

type GatedStanding = Extract<
  Standing,
  { readonly kind: 'queue-paused' | 'queue-full' | 'rate-limited' | 'breaker-open' }
>;

/** Why nothing of a queue may start; null = something may. */
export function gatedStanding(row: QueueRoomColumns): GatedStanding | null {
  const {
    queue,
    queue_paused_at: since,
    queue_room: room,
    queue_opens_at: until,
    queue_concurrency: concurrency,
  } = row;
  if (since !== null) {
    return { kind: 'queue-paused', queue, since, actor: row.queue_paused_by, reason: row.queue_pause_reason };
  }
  if (room === null || room > 0) return null;
  const about = { queue, ahead: row.ahead ?? 0 };
  if (row.queue_is_open === true) return { kind: 'breaker-open', ...about, until };
  if (concurrency !== null && (row.queue_running ?? 0) >= concurrency)
    return { kind: 'queue-full', ...about, concurrency };
  return until === null ? { kind: 'breaker-open', ...about, until } : { kind: 'rate-limited', ...about, until };
}

export function gatedSentence(standing: GatedStanding): string {
  const queue = `The queue "${standing.queue}"`;
  if (standing.kind === 'queue-paused') {
    const by = standing.actor === null ? '' : ` by ${standing.actor}`;
    const because = standing.reason === null ? '' : ` (${standing.reason})`;
    return `${queue} has been paused${by} since ${standing.since.toISOString()}${because}. It waits until the queue is resumed.`;
  }
  const behind = standing.ahead === 0 ? 'It is the next one.' : `It waits behind ${standing.ahead} other(s).`;
  return `${queue} ${reasonOf(standing)} ${behind}`;
}

function reasonOf(standing: Exclude<GatedStanding, { readonly kind: 'queue-paused' }>): string {
  switch (standing.kind) {
    case 'queue-full':
      return `runs ${standing.concurrency} at the same time, and as many are running.`;
    case 'rate-limited':
      return `has used up its rate: no more may start before ${standing.until.toISOString()}.`;
    case 'breaker-open':
      return standing.until === null
        ? 'is trying whether what it calls works again: its probes are running.'
        : `rests because what it calls failed: nothing may start before ${standing.until.toISOString()}.`;
  }
}
