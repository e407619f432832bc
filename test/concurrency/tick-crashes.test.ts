import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../libs/scheduled-jobs/src/core/errors.js';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';
import { everySecond, scheduledJob } from '../support/schedules.js';
import { seededRandom, testSeed } from '../support/seeded-random.mjs';

const ledgerOf = useLedger();
const JOBS = Array.from({ length: 8 }, (_, n) => `job${n}`);
const SECONDS = 120;

/** Ends a random session of the tickers that is in the middle of something. */
async function endOne(random: () => number): Promise<boolean> {
  const rows = await ledgerOf().sql<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'ticker' and datname = current_database() and state <> 'idle'`,
  );
  const victim = rows[Math.floor(random() * rows.length)];
  if (victim === undefined) return false;
  await ledgerOf().sql('select pg_terminate_backend($1)', [victim.pid]);
  return true;
}

describe('ticking processes whose sessions are ended at random', () => {
  it('miss and double no period, and leave each cursor at its last one', async () => {
    const seed = testSeed();
    const random = seededRandom(seed);
    await ledgerOf().stores.schedules.register(
      JOBS.map((name) => scheduledJob({ name })),
      T0,
    );
    const clock = { second: 0 };
    const unexpected: unknown[] = [];
    // Connected before any session is ended: a process that cannot start is not what this is about.
    const connect = () => ledgerOf().connect({ poolSize: 1, applicationName: 'ticker', logging: false });
    const dataSources = await Promise.all(Array.from({ length: 4 }, connect));
    const ticking = dataSources.map(async (dataSource) => {
      const { schedules } = ledgerOf().storesOf(dataSource);
      while (clock.second < SECONDS) {
        const now = after((clock.second += 0.5) * 1_000);
        await schedules.tick({ jobNames: JOBS, limit: 3, now }, everySecond(7)).catch((error: unknown) => {
          if (!(error instanceof StoreUnavailableError)) unexpected.push(error);
        });
      }
    });
    let ended = 0;
    const ending = (async () => {
      while (clock.second < SECONDS) if (await endOne(random)) ended += 1;
    })();
    await Promise.all([...ticking, ending]);
    for (let round = 0; round < 100; round++) {
      await ledgerOf().stores.schedules.tick(
        { jobNames: JOBS, limit: 100, now: after(SECONDS * 1_000) },
        everySecond(50),
      );
    }
    expect(unexpected, `seed ${seed}`).toEqual([]);
    expect(ended).toBeGreaterThan(0);
    expect(
      await ledgerOf().sql(
        `select s.job_name, count(*)::int as n, count(distinct e.key)::int as keys, min(e.scheduled_for) as first,
           max(e.scheduled_for) = s.cursor_at as cursor_at_last
         from schedules s join executions e on e.job_name = s.job_name group by s.job_name, s.cursor_at order by 1`,
      ),
      `seed ${seed}`,
    ).toEqual(
      JOBS.map((job_name) => ({ job_name, n: SECONDS, keys: SECONDS, first: after(1_000), cursor_at_last: true })),
    );
  });

  it('give the same rows when many tick the same moment', async () => {
    await ledgerOf().stores.schedules.register(
      JOBS.map((name) => scheduledJob({ name })),
      T0,
    );
    for (const now of [after(5_000), after(5_000), after(9_000)]) {
      await Promise.all(
        Array.from({ length: 12 }, () =>
          ledgerOf().stores.schedules.tick({ jobNames: JOBS, limit: 100, now }, everySecond()),
        ),
      );
    }
    expect(await ledgerOf().row('select count(*)::int as n, count(distinct key)::int as keys from executions')).toEqual(
      {
        n: JOBS.length * 9,
        keys: JOBS.length * 9,
      },
    );
  });
});
