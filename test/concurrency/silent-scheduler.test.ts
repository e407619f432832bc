import { afterEach, describe, expect, it } from 'vitest';
import { BareProcesses } from '../support/bare-process.js';
import { eventually } from '../support/engine.js';
import { useLedger } from '../support/ledger-tests.js';
import { allCaughtUp, FLAWLESS, periodAccount, periodCounts, timePasses } from '../support/period-account.js';

const SOAK = process.env['SOAK'] === '1';
const SILENT_MS = SOAK ? 90_000 : 6_000;

describe('A scheduler that is silent for many periods', () => {
  const ledger = useLedger();
  const processes = new BareProcesses();
  afterEach(() => processes.killAll());

  it(
    'because its process is frozen or its event loop is blocked, records each of them once when it wakes',
    async () => {
      const start = (job: string) => processes.start({ url: ledger().url, jobs: [job], scheduler: true });
      const [frozen, blocked] = await Promise.all([start('second-1'), start('second-2')]);
      await eventually(async () => Object.keys(await periodCounts(ledger())).length === 2, {
        what: 'the first periods',
      });
      frozen.signal('SIGSTOP');
      // Longer than it is watched: on a busy machine a look takes its time.
      const unblocked = blocked.block(SILENT_MS + 3_000);
      await blocked.next('blocking');
      const before = await periodCounts(ledger());
      await timePasses(ledger(), SILENT_MS);
      const silent = await periodCounts(ledger());
      frozen.signal('SIGCONT');
      await unblocked;
      await allCaughtUp(ledger());
      // A tick that was under way when it fell silent may have been committed.
      for (const job of ['second-1', 'second-2']) expect(silent[job]! - before[job]!).toBeLessThanOrEqual(1);
      expect(await periodAccount(ledger())).toEqual(FLAWLESS);
      const counts = await periodCounts(ledger());
      for (const job of ['second-1', 'second-2']) expect(counts[job]).toBeGreaterThan(SILENT_MS / 1_000);
    },
    SILENT_MS + 60_000,
  );

  it.runIf(SOAK)(
    'because it is frozen in the middle of a tick, holds up another one for a minute, not longer',
    async () => {
      const options = { url: ledger().url, jobs: ['second'], scheduler: true };
      const frozen = await processes.start(options);
      const name = `bare-${frozen.pid}`;
      await ledger().sql(`
        create function public.slow_insert() returns trigger language plpgsql as 'begin perform pg_sleep(0.3); return new; end';
        create trigger slow_insert before insert on executions for each row
          when (current_setting('application_name') = '${name}') execute function public.slow_insert()`);
      const openTicks = () =>
        ledger().sql(
          `select 1 from pg_stat_activity where application_name = $1 and datname = current_database() and backend_xid is not null`,
          [name],
        );
      await eventually(async () => (await openTicks()).length > 0, { what: 'a tick' });
      frozen.signal('SIGSTOP');
      await processes.start(options);
      await timePasses(ledger(), 10_000);
      expect(await openTicks()).toHaveLength(1);
      await allCaughtUp(ledger(), { withinMs: 60_000 });
      frozen.signal('SIGCONT');
      await allCaughtUp(ledger());
      expect(await periodAccount(ledger())).toEqual(FLAWLESS);
    },
    120_000,
  );
});
