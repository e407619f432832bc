import type { LedgerNames } from '../ledger-names.js';

/** More than any worker asks for. */
const MANY = 1_000_000;
/** Instants are kept to the microsecond: what is nearer to a whole token than this is one. */
const NEARLY = 1e-6;

/** True for a queue that must not be claimed from without its lock. */
export const IS_GATED = `(q.paused_at is not null or q.concurrency is not null or q.rate is not null or q.breaker is not null)`;

/**
 * How much may start of the queue `q`, to be joined laterally: `running` (only where that is limited), `tokens` at this
 * instant, `room`, and `opens_in_ms`, in how many milliseconds there is room; 0 = now, null = when something ends or it is
 * resumed. A breaker that has been open for long enough lets so many probes run that they can just close it; one that was
 * lost or said nothing makes room for another. Each `offset 0` keeps the counts below it from being made once for each use.
 * @param now The instant, as an SQL expression.
 */
export const queueRoom = ({ table }: LedgerNames, now: string): string => `lateral (
    select
      had.running, had.tokens, had.room,
      case
        when had.room > 0 then 0
        when q.paused_at is not null then null
        when q.open_until > ${now} then ceil(extract(epoch from q.open_until - ${now}) * 1000)
        when had.running >= q.concurrency or had.probes <= 0 then null
        else ceil((1 - had.tokens) * q.rate_ms / q.rate)
      end::float8 as opens_in_ms
    from (
      select
        limited.running, limited.tokens, limited.probes,
        case
          when q.paused_at is not null or q.open_until > ${now} then 0
          else greatest(
            least(q.concurrency - limited.running, floor(limited.tokens + ${NEARLY}), limited.probes, ${MANY}), 0)
        end::int as room
      from (
        select
          case when q.concurrency is not null then (
            select count(*) from ${table.work} x where x.phase = 'leased' and x.queue = q.name
          ) end as running,
          case when q.rate is not null then least(
            q.burst,
            coalesce(q.tokens, q.burst)
              + coalesce(greatest(extract(epoch from ${now} - q.refilled_at)::float8 * 1000, 0), 0) * q.rate / q.rate_ms
          ) end as tokens,
          case when q.open_until <= ${now} then (q.breaker ->> 'probes')::int - q.probes_passed - (
            select count(*)
            from ${table.work} x
            where x.phase = 'leased' and x.queue = q.name and x.lease_token > coalesce(q.opened_token, 0)
          ) end as probes
        offset 0
      ) limited
      offset 0
    ) had
  )`;
