import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { launchPostgres } from '../../scripts/postgres/launch.mjs';
import { BareProcesses } from '../support/bare-process.js';
import { createBusinessTables } from '../support/business-tables.js';
import { eventually } from '../support/engine.js';
import { expectInvariants } from '../support/ledger-invariants.js';
import { TestLedger } from '../support/ledger.js';
import { FLAWLESS, periodAccount } from '../support/period-account.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const RESTARTS = process.env['SOAK'] === '1' ? 20 : 2;

describe('A process whose database is restarted', () => {
  const processes = new BareProcesses();
  const endings: (() => Promise<unknown> | void)[] = [];
  afterEach(async () => {
    await processes.killAll();
    for (const end of endings.splice(0).toReversed()) await end();
  });

  it(
    'waits, connects again, and loses no period',
    async () => {
      const directory = mkdtempSync(join(tmpdir(), `scheduled-jobs-test-${process.pid}-restart-`));
      endings.push(() => rmSync(directory, { recursive: true, force: true }));
      let server = await launchPostgres({ directory });
      endings.push(() => server.stop());
      const proxy = await TcpProxy.to(server.url);
      endings.push(() => proxy.close());
      const ledger = await TestLedger.create({ url: proxy.url });
      endings.push(() => ledger.close());
      await createBusinessTables(ledger);
      const succeeded = async () =>
        (await ledger.row<{ n: number }>(`select count(*)::int as n from outcomes where state = 'succeeded'`)).n;
      const running = await processes.start({
        url: proxy.url,
        jobs: ['second'],
        scheduler: true,
        worker: { pollIntervalMs: 200 },
      });
      for (let restart = 0; restart < RESTARTS; restart++) {
        const before = await succeeded();
        await eventually(async () => (await succeeded()) > before, { what: 'a success before the restart' });
        await server.stop();
        server = await launchPostgres({ directory });
        proxy.retarget(server.url);
        const then = await succeeded();
        await eventually(async () => (await succeeded()) > then + 1, { what: 'successes after the restart' });
      }
      expect((await running.stop()).code).toBe(0);
      expect(await periodAccount(ledger)).toEqual(FLAWLESS);
      expect(await ledger.sql('select * from skipped_ranges')).toEqual([]);
      await expectInvariants(ledger);
    },
    RESTARTS * 30_000 + 60_000,
  );
});
