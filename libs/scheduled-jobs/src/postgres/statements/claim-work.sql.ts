import type { Trigger } from '../../core/execution/execution-state.js';
import type { LedgerNames } from '../ledger-names.js';
import { boundNow } from './bound-now.js';
import { IS_GATED } from './queue-room.js';
import { MAX_LOSSES_IN_ROW } from './rescue-expired.sql.js';

/** Instants as seconds since 1970: these are written and read several times as fast as their text. */
export interface ClaimedRow {
  readonly id: string;
  readonly token: string;
  readonly key: string;
  readonly job_name: string;
  readonly period: string | null;
  readonly interval_start_s: number | null;
  readonly interval_end_s: number | null;
  readonly scheduled_for_s: number;
  readonly payload: unknown;
  readonly trigger: Trigger;
  readonly trace_parent: string | null;
  readonly queue: string;
  readonly concurrency_key: string | null;
  readonly attempt: number;
  readonly max_attempts: number;
  readonly lease_ms: number;
  readonly deadline_s: number | null;
  readonly claimed_s: number;
  readonly last_chance: boolean;
  /** Its deadline has passed: it is not to be started, but ended. */
  readonly overdue: boolean;
  /** How long the server has been at the claim, milliseconds. */
  readonly took_ms: number;
  /** Its place in the order of its queue, where the claim asks for places. */
  readonly priority?: number;
  readonly run_s?: number;
}

const NOW = boundNow(6);
/** The types of the ordinary claim's parameters, and its columns with theirs. */
export const CLAIM_PARAMETERS = 'text, text[], int[], int[], text[], timestamptz, boolean, bigint[]';
export const CLAIMED_COLUMNS = `id bigint, token bigint, key text, job_name text, period text, interval_start_s float8,
  interval_end_s float8, scheduled_for_s float8, payload jsonb, trigger text, trace_parent text, queue text, concurrency_key text,
  attempt int, max_attempts int, lease_ms int, deadline_s float8, claimed_s float8, last_chance boolean, overdue boolean,
  took_ms float8`;
/** What a worker asks for: queues, how many to take of each, and how many of these start at once. */
export const ASKED = 'unnest($2::text[], $3::int[], $4::int[]) as ask(queue, take_count, start_count)';
/** The same, with the place in the order of each queue at which the claim begins. */
const ASKED_ONWARDS = `unnest($2::text[], $3::int[], $4::int[], $9::smallint[], $10::float8[], $11::bigint[])
      as ask(queue, take_count, start_count, first_priority, first_run_s, first_id)`;
/** One more lost lease ends it. */
const LAST_CHANCE = `losses_in_row >= ${MAX_LOSSES_IN_ROW - 1}`;

/**
 * Leases ready work of several queues to one worker and marks what starts at once; that of paused jobs and
 * of gated queues stays as it is.
 * Picked work whose deadline has passed is told as overdue and starts nothing: the statement that ends it is one of its own,
 * because it costs more to plan here, for each claim, than it is ever worth.
 *
 * Of the work that ends with one more lost lease it takes one at most, and only when that starts at once: it may be what
 * kills workers, and beside it nothing else may stand that could not bear the loss.
 *
 * Fenced: no, it makes the fence: a token greater than all before it.
 * Locks: work rows by priority, run time and id within each queue, skip locked; never waits.
 * Index: work_ready, once per queue; work_pk for the update; executions_pk; suspensions_open, queues_pk. The ids reach the update as
 * an array and the unknown array of jobs sits in a case, so that no guess of the planner turns the ordered scan into a sort. Each
 * execution is looked up by itself, behind an offset: joined while the table is empty, all of it may be read for each row.
 * Params: $1 worker, $2 queues, $3 how many to take of each, $4 how many of them start at once, $5 handled jobs, $6 now,
 * $7 whether work on its last chance may be taken, $8 ids to leave out (null = none).
 */
export const claimWorkSql = (names: LedgerNames): string => claimText(names, { asked: openOnes(names, ASKED) });

/**
 * The ordinary claim, but each queue from a place in its order onwards. What has left the front of a queue is passed over for
 * each claim anew while the oldest transaction may still see it; who has seen the front knows where to go on.
 *
 * Fenced, locks, index: as the ordinary claim; the place is where its scan of work_ready begins.
 * Params: as the ordinary claim; of the first row of each queue $9 priorities, $10 run times in seconds since 1970, $11 ids.
 */
export const claimOnwardsSql = (names: LedgerNames): string =>
  claimText(names, {
    asked: openOnes(names, ASKED_ONWARDS),
    among: `
        and (r.priority, r.run_at, r.execution_id) >= (ask.first_priority, to_timestamp(ask.first_run_s), ask.first_id)`,
    place: `, l.priority, date_part('epoch', l.run_at) as run_s`,
  });

/** What is asked for, but for queues that are gated by now: the worker may not have seen that yet. */
const openOnes = ({ table }: LedgerNames, asked: string): string => `(
    select *
    from ${asked}
    where not exists (select 1 from ${table.queues} q where q.name = queue and ${IS_GATED})
  ) as ask`;

interface ClaimParts {
  readonly asked: string;
  /** A further condition on the rows. */
  readonly among?: string;
  /** More columns: the place of each row. */
  readonly place?: string;
  /** Terms before and after the claim. */
  readonly before?: string;
  readonly after?: string;
}

/** A claim of what is `asked`. */
export const claimText = (
  { table, leaseTokens }: LedgerNames,
  { asked, among = '', place = '', before = '', after = '' }: ClaimParts,
): string => `
with ${before}left_alone as materialized (
  select array_agg(name) as names
  from (
    select name from ${table.jobs} where not name = any ($5::text[])
    union all
    select job_name from ${table.suspensions} where kind = 'paused' and to_at is null
  ) job
),
found as materialized (
  select ranked.execution_id, ranked.last_chance, not ranked.overdue and ranked.place <= ask.start_count as starts
  from ${asked}
  cross join lateral (
    select
      next_up.execution_id, next_up.overdue, next_up.last_chance and not next_up.overdue as last_chance,
      count(*) filter (where not next_up.overdue) over (rows unbounded preceding) as place
    from (
      select
        r.execution_id, r.${LAST_CHANCE} as last_chance, coalesce(r.deadline_at <= ${NOW}, false) as overdue
      from ${table.work} r
      where r.phase = 'ready'
        and r.queue = ask.queue${among}
        and case
          when (select names from left_alone) is null then true
          else r.job_name <> all ((select names from left_alone)::text[])
        end
        and case when $7::boolean and ask.start_count > 0 then true else not r.${LAST_CHANCE} end
        and case when $8::bigint[] is null then true else r.execution_id <> all ($8::bigint[]) end
      order by r.priority, r.run_at, r.execution_id
      limit ask.take_count
      for update skip locked
    ) next_up
  ) ranked
),
leased as (
  update ${table.work} w
  set
    phase = 'leased', attempt = w.attempt + 1, lease_token = nextval('${leaseTokens}'), worker_id = $1,
    lease_until = ${NOW} + w.lease_ms * interval '1 millisecond',
    started_at = case when w.execution_id = any (array(select execution_id from found where starts)) then ${NOW} end,
    processed_before = w.processed, failed_before = w.failed, skipped_before = w.skipped
  where w.execution_id = any (array(
    select execution_id
    from found
    where case
      when last_chance then execution_id = (select min(execution_id) from found where last_chance and starts)
      else true
    end
  ))
  returning
    w.execution_id, w.lease_token, w.attempt, w.max_attempts, w.lease_ms, w.deadline_at, w.priority, w.run_at, w.queue,
    w.${LAST_CHANCE} as last_chance, coalesce(w.deadline_at <= ${NOW}, false) as overdue
)${after}
select
  l.execution_id as id, l.lease_token as token, e.key, e.job_name, e.period,
  date_part('epoch', e.interval_start) as interval_start_s, date_part('epoch', e.interval_end) as interval_end_s,
  date_part('epoch', e.scheduled_for) as scheduled_for_s, e.payload, e.trigger, e.trace_parent, l.queue, e.concurrency_key,
  l.attempt, l.max_attempts, l.lease_ms, date_part('epoch', l.deadline_at) as deadline_s,
  (select date_part('epoch', ${NOW})) as claimed_s, l.last_chance, l.overdue,
  date_part('epoch', clock_timestamp() - statement_timestamp()) * 1000 as took_ms${place}
from leased l
cross join lateral (select * from ${table.executions} x where x.id = l.execution_id offset 0) e
order by l.priority, l.run_at, l.execution_id`;
