import { afterEach, describe, expect, it } from 'vitest';
import { BareProcesses } from '../support/bare-process.js';
import { useLedger } from '../support/ledger-tests.js';
import { allCaughtUp, FLAWLESS, periodAccount, periodCounts, timePasses } from '../support/period-account.js';

const PERIODS = process.env['SOAK'] === '1' ? 120 : 12;
const HOUR_MS = 3_600_000;
/** Each clock has a schedule of its own beside the one that all of them tick. */
const CLOCKS = { behind: 'second-1', ahead: 'second-2', 'stepping-back': 'second-3', jumping: 'second-4' } as const;

describe('Schedulers whose own clocks are wrong', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  afterEach(() => processes.killAll());

  const start = async (job: string, clockOffsetMs: number) => {
    const jobs = ['second', job];
    const started = await processes.start({ url: ledger().url, jobs, scheduler: true, clockOffsetMs });
    const { nowMs } = await started.next('ready');
    expect(Math.abs((nowMs as number) - clockOffsetMs - Date.now())).toBeLessThan(10_000);
    return started;
  };

  it(
    'record each period once, under its own name, in its time by the clock of the database',
    async () => {
      const [, , steppingBack, jumping] = await Promise.all([
        start(CLOCKS.behind, -90_000),
        start(CLOCKS.ahead, 90_000),
        start(CLOCKS['stepping-back'], 0),
        start(CLOCKS.jumping, 0),
      ]);
      await timePasses(ledger(), (PERIODS / 3) * 1_000);
      const steppedTo = await steppingBack.shiftClock(-HOUR_MS);
      const jumpedTo = await jumping.shiftClock(Date.UTC(2090, 0, 1) - Date.now());
      expect(steppedTo).toBeLessThan(Date.now() - HOUR_MS / 2);
      expect(new Date(jumpedTo).getUTCFullYear()).toBe(2090);
      await timePasses(ledger(), (PERIODS / 3) * 1_000);
      await jumping.shiftClock(0);
      await timePasses(ledger(), (PERIODS / 3) * 1_000);
      await allCaughtUp(ledger());

      expect(await periodAccount(ledger())).toEqual(FLAWLESS);
      const counts = await periodCounts(ledger());
      for (const job of ['second', ...Object.values(CLOCKS)]) expect(counts[job]).toBeGreaterThanOrEqual(PERIODS);
      const late = await ledger().sql<{ job: string; lateMs: number }>(`
        select job_name as job, percentile_cont(0.5) within group (order by extract(epoch from created_at - scheduled_for)) * 1000 as "lateMs"
        from executions group by 1`);
      for (const { job, lateMs } of late) expect(lateMs, job).toBeLessThan(1_000);
    },
    PERIODS * 1_000 + 60_000,
  );
});
