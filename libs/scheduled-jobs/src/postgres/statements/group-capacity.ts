import type { LedgerNames } from '../ledger-names.js';

/**
 * How many slots the group of a concurrency key has: the smallest `concurrency` among the jobs that wait or hold a slot
 * under it; null = none does. One look into work_group for each of those jobs, however many executions they have.
 */
export const groupCapacity = ({ table }: LedgerNames, concurrencyKey: string): string => `(
      with recursive member as (
        (select job_name
         from ${table.work}
         where concurrency_key = ${concurrencyKey} and (phase = 'waiting' or slot is not null)
         order by job_name
         limit 1)
        union all
        select
          (select m.job_name
           from ${table.work} m
           where m.concurrency_key = ${concurrencyKey}
             and (m.phase = 'waiting' or m.slot is not null)
             and m.job_name > member.job_name
           order by m.job_name
           limit 1)
        from member
        where member.job_name is not null
      )
      select min(j.concurrency) as capacity from ${table.jobs} j where j.name = any (array(select job_name from member)))`;
