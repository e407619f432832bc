import { describe, expect, it } from 'vitest';
import type { JobDefinition } from '../../libs/scheduled-jobs/src/core/job/job-definition.js';
import { ledgerNames } from '../../libs/scheduled-jobs/src/postgres/ledger-names.js';
import { carryVersionsSql } from '../../libs/scheduled-jobs/src/postgres/statements/carry-versions.sql.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { backgroundJob, scheduledJob } from '../support/schedules.js';

const ledgerOf = useLedger();
const register = (definitions: JobDefinition[], now: Date = T0) =>
  ledgerOf().stores.schedules.register(definitions, now);

describe('carry', () => {
  const carry = (definitions: JobDefinition[], now: Date) => ledgerOf().stores.schedules.carry(definitions, now);
  const carriedAt = async () =>
    (await ledgerOf().sql<{ carried_at: Date }>('select carried_at from schedule_versions order by version')).map(
      (row) => row.carried_at,
    );

  it('notes that the newest version is carried, but not when that was noted shortly before', async () => {
    const definitions = [backgroundJob('mail'), scheduledJob({})];
    await register(definitions);
    expect(await carry(definitions, after(25_000))).toEqual([]);
    expect(await carriedAt()).toEqual([T0]);
    await carry(definitions, after(25_001));
    expect(await carriedAt()).toEqual([after(25_001)]);
    await register(definitions, after(60_000));
    expect(await carriedAt()).toEqual([after(60_000)]);
  });

  it('notes it at once where nobody ever has', async () => {
    await register([scheduledJob({})]);
    await ledgerOf().sql('update schedule_versions set carried_at = null');
    await carry([scheduledJob({})], after(1_000));
    expect(await carriedAt()).toEqual([after(1_000)]);
  });

  it('writes once for any number of processes that do so at the same moment', async () => {
    const definitions = ['a', 'b', 'c'].map((name) => scheduledJob({ name }));
    await register(definitions);
    await ledgerOf().sql('create sequence writes');
    await ledgerOf().sql(`
      create function note_write() returns trigger language plpgsql as
      $$ begin perform nextval('scheduled_jobs.writes'); return new; end $$`);
    await ledgerOf().sql(
      'create trigger note_write after update on schedule_versions for each row execute function note_write()',
    );
    const both = [definitions, definitions.toReversed()];
    await Promise.all(Array.from({ length: 20 }, (_, n) => carry(both[n % 2]!, after(30_000))));
    expect(await ledgerOf().row('select last_value::int as writes from writes')).toEqual({ writes: 3 });
    await ledgerOf().sql('drop function note_write cascade');
    await ledgerOf().sql('drop sequence writes');
  });

  it('keeps its update in the page of the row, and is one update when two have looked before either wrote', async () => {
    await register([scheduledJob({})]);
    const client = await ledgerOf().client();
    await client.query('begin');
    for (const now of [after(60_000), after(60_500)]) {
      await client.query(carryVersionsSql(ledgerNames(ledgerOf().schema)), [['job'], [1], now]);
    }
    const { rows } = await client.query(
      `select pg_stat_get_xact_tuples_updated(c) as updated, pg_stat_get_xact_tuples_hot_updated(c) as hot
       from (select 'schedule_versions'::regclass::oid as c) t`,
    );
    expect(rows).toEqual([{ updated: '1', hot: '1' }]);
    await client.query('rollback');
  });

  it('writes neither jobs nor anything else of schedules that are as they were', async () => {
    await register([backgroundJob('mail', 1), scheduledJob({})]);
    const rows = () =>
      ledgerOf().sql(
        'select s.ctid::text, s.xmin::text, s.xmax::text, j.* from schedules s cross join jobs j order by name',
      );
    const before = await rows();
    await carry([backgroundJob('mail', 9), scheduledJob({})], after(60_000));
    expect(await rows()).toEqual(before);
  });
});
