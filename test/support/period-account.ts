import { eventually } from './engine.js';
import type { TestLedger } from './ledger.js';

/** What is wrong with the periods of schedules that fire every second or every other one, as one snapshot shows it. */
export interface PeriodAccount {
  /** Periods up to the cursor with neither a key nor a skipped range: the cursor is ahead of what is recorded. */
  readonly missing: readonly object[];
  /** Periods with more than one execution. */
  readonly doubled: readonly object[];
  /** Executions that were there before their time. */
  readonly early: readonly object[];
}

export const FLAWLESS: PeriodAccount = { missing: [], doubled: [], early: [] };

/** Keys are spelt out here: the judge of the product must not use its calendar. */
const ACCOUNT = `
  with expected as (
    select s.job_name, second, s.job_name || ':' || to_char(second at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"') as key
    from schedules s
    join schedule_versions v on v.schedule_name = s.schedule_name and v.version = 1
    cross join lateral
      generate_series(date_trunc('second', v.valid_from) + interval '1 second', s.cursor_at, interval '1 second') as second
    where v.expression = '* * * * * *' or v.expression = '*/2 * * * * *' and extract(epoch from second)::bigint % 2 = 0),
  missing as (
    select job_name, second from expected e
    where not exists (select 1 from keys k where k.key_hash = substr(sha256(convert_to(e.key, 'UTF8')), 1, 16))
      and not exists (
        select 1 from skipped_ranges r where r.job_name = e.job_name and e.second between r.from_at and r.to_at)),
  doubled as (
    select job_name, scheduled_for from executions where trigger = 'schedule' group by 1, 2 having count(*) > 1),
  early as (select key, scheduled_for, created_at from executions where trigger = 'schedule' and created_at < scheduled_for)
  select
    coalesce((select json_agg(missing) from missing), '[]') as missing,
    coalesce((select json_agg(doubled) from doubled), '[]') as doubled,
    coalesce((select json_agg(early) from early), '[]') as early`;

/** Looks at all schedules at once, from a session of its own. */
export const periodAccount = (ledger: TestLedger): Promise<PeriodAccount> =>
  ledger.row<PeriodAccount & object>(ACCOUNT);

/** How many periods the ledger has of each schedule, by name. */
export async function periodCounts(ledger: TestLedger): Promise<Readonly<Record<string, number>>> {
  const rows = await ledger.sql<{ job: string; count: number }>(
    'select job_name as job, count(*)::int as count from executions group by 1 order by 1',
  );
  return Object.fromEntries(rows.map(({ job, count }) => [job, count]));
}

/** Waits until the clock of the database has gone on by so much. */
export async function timePasses(ledger: TestLedger, ms: number): Promise<void> {
  const { until } = await ledger.row<{ until: string }>(
    `select (clock_timestamp() + $1 * interval '1 millisecond')::text as until`,
    [ms],
  );
  await eventually(
    async () => (await ledger.row<{ over: boolean }>('select clock_timestamp() > $1 as over', [until])).over,
    { withinMs: ms + 5_000, what: `the end of ${ms} ms` },
  );
}

/** Waits until every schedule has come to the present, as it is now. */
export async function allCaughtUp(ledger: TestLedger, { withinMs = 15_000 } = {}): Promise<void> {
  const { now } = await ledger.row<{ now: string }>('select now()::text as now');
  const behind = () => ledger.sql<{ job: string }>('select job_name as job from schedules where cursor_at < $1', [now]);
  await eventually(async () => (await behind()).length === 0, { withinMs, what: 'the last period of every schedule' });
}
