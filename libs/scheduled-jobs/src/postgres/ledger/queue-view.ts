import type { QueueSummary } from '../../core/ports/queue-store.js';
import { rolled } from '../../core/queue/breaker.js';
import type { QueueRow } from '../statements/find-queues.sql.js';

/** A queue as people see it, from its row. */
export function queueSummary(row: QueueRow): QueueSummary {
  const { name, concurrency, rate, rate_ms: rateMs, burst, ready, running } = row;
  return {
    name,
    concurrency,
    rate,
    rateMs,
    burst,
    pause: row.paused_at === null ? null : { since: row.paused_at, actor: row.paused_by, reason: row.pause_reason },
    breaker: breakerView(row),
    ready,
    running,
    oldestReadyMs: row.oldest_ready_ms,
  };
}

function breakerView({ breaker, tally, open_until: openUntil, now }: QueueRow): QueueSummary['breaker'] {
  if (breaker === null) return null;
  if (openUntil !== null) {
    const isOpen = openUntil > now;
    return { state: isOpen ? 'open' : 'half-open', openUntil: isOpen ? openUntil : null, calls: 0, failures: 0 };
  }
  const { calls, earlierCalls, failures, earlierFailures } = rolled(tally, breaker.windowMs, now.getTime());
  return { state: 'closed', openUntil: null, calls: calls + earlierCalls, failures: failures + earlierFailures };
}
