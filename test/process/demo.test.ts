import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processTree, stillAlive, type KnownProcess } from '../support/process-tree.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PORT = 4310;
const STOPS_WITHIN_MS = 10_000;
/** Launcher, PostgreSQL's launcher, PostgreSQL, two API and two worker processes. */
const PROCESSES = 7;
const DAY_MS = 86_400_000;

interface List<Item> {
  readonly items: readonly Item[];
}

class Demo {
  /** What ran when it was ready. */
  processes: readonly KnownProcess[] = [];

  private text = '';
  private readonly child: ChildProcess;
  readonly ended: Promise<number | NodeJS.Signals | null>;

  constructor(
    command: readonly [string, ...string[]],
    private readonly folder: string,
    env: Readonly<Record<string, string>> = {},
  ) {
    const [program, ...args] = command;
    // detached: its own process group, as in a terminal
    this.child = spawn(program, args, {
      cwd: ROOT,
      detached: true,
      env: {
        ...process.env,
        DATABASE_URL: undefined,
        API_TOKEN: undefined,
        PORT: String(PORT),
        TMPDIR: this.folder,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
    }
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => resolve(code ?? signal));
    });
  }

  get output(): string {
    return this.text;
  }

  async ready(): Promise<void> {
    const line =
      /^READY http:\/\/127\.0\.0\.1:\d+\/scheduled-jobs\/api\nREADY http:\/\/127\.0\.0\.1:\d+\/scheduled-jobs\/\?token=\S+$/m;
    const isReady = () => {
      if (!line.test(this.text)) throw new Error(`The demo is not ready:\n${this.text}`);
    };
    await vi.waitFor(isReady, { timeout: 90_000 });
    this.processes = processTree(this.child.pid ?? 0);
  }

  /** What a route of its API answers, with the token of the address that it prints. */
  async read<Answer>(route: string): Promise<Answer> {
    const [, base, token] = /^READY (\S+)\/\?token=(\S+)$/m.exec(this.text) ?? [];
    const response = await fetch(`${base}/api${route}`, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as Answer;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Also what a killed launcher should not have left behind. */
  async endAll(): Promise<void> {
    this.signal('SIGTERM');
    if (this.child.signalCode === 'SIGKILL') for (const pid of stillAlive(this.processes)) process.kill(pid, 'SIGKILL');
    await this.ended;
  }
}

describe('npm run demo', () => {
  let folder: string;
  let started: Demo[];

  const start = (...args: readonly string[]): Demo => startWith([process.execPath, 'scripts/demo.mjs', ...args]);

  function startWith(command: readonly [string, ...string[]], env: Readonly<Record<string, string>> = {}): Demo {
    const demo = new Demo(command, folder, env);
    started.push(demo);
    return demo;
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scheduled-jobs-demo-test-'));
    chmodSync(folder, 0o755); // started by root, PostgreSQL runs as another account
    started = [];
  });

  afterEach(async () => {
    for (const demo of started) await demo.endAll();
    rmSync(folder, { recursive: true, force: true });
  });

  it('runs for a while and proves that every period ended well exactly once', { timeout: 180_000 }, async () => {
    const demo = start('--for', '12s');
    expect(await demo.ended, demo.output).toBe(0);
    expect(demo.output).toMatch(/^daily-report +7 +7 +0 +0 /m);
    expect(demo.output).toMatch(/^points +([2-9]|\d\d) +\1 +0 +0 /m);
    expect(demo.output).toMatch(/^order-sync +([1-9]|\d\d) +\1 +0 +0 /m);
    expect(demo.output).toMatch(/^export-pdf +2 +2 +0 +0 /m);
    expect(demo.output).toContain('Every period ended well, exactly once.');
  });

  it(
    'says which database it cannot reach, without its password, and how it is used',
    { timeout: 120_000 },
    async () => {
      const unreachable = startWith([process.execPath, 'scripts/demo.mjs'], {
        DATABASE_URL: 'postgres://somebody:hush@127.0.0.1:1/shop',
      });
      expect(await unreachable.ended).toBe(1);
      expect(unreachable.output).toContain('Cannot reach the PostgreSQL of DATABASE_URL: connect ECONNREFUSED');
      expect(unreachable.output).not.toContain('hush');
      const asked = start('--help');
      expect(await asked.ended).toBe(0);
      for (const option of ['--for', '--fresh', 'DATABASE_URL']) expect(asked.output).toContain(option);
    },
  );

  it('shows at its first start what the dashboard is for', { timeout: 150_000 }, async () => {
    const demo = start();
    await demo.ready();
    const patience = { timeout: 30_000, interval: 200 };
    await vi.waitFor(async () => {
      const { items: failed } = await demo.read<List<object>>('/dead-letters');
      expect(failed).toMatchObject([{ jobName: 'export-pdf', errorClass: 'PermanentError' }]);
      const { items: backfills } = await demo.read<List<object>>('/backfills');
      expect(backfills).toMatchObject([{ jobName: 'daily-report', inserted: 4, states: { succeeded: 4 } }]);
    }, patience);
    const { items: queues } = await demo.read<List<{ name: string; concurrency: number | null }>>('/queues');
    expect(queues.map(({ name, concurrency }) => [name, concurrency])).toEqual([
      ['default', null],
      ['exports', 2],
    ]);
    const { items: jobs } = await demo.read<List<{ jobName: string; paused: object | null }>>('/jobs');
    expect(jobs.filter(({ paused }) => paused !== null)).toMatchObject([
      { jobName: 'export-cleanup', paused: { actor: expect.any(String), reason: expect.stringContaining('audit') } },
    ]);
    const { items: periods } = await demo.read<List<{ reason: string | null }>>(
      `/jobs/daily-report/periods?from=${new Date(Date.now() - 20 * DAY_MS).toISOString()}`,
    );
    expect(periods.filter(({ reason }) => reason === 'catch-up')).toHaveLength(3);
  });

  it('stops everything within ten seconds of a SIGTERM', { timeout: 150_000 }, async () => {
    const demo = start();
    await demo.ready();
    expect(demo.processes.length).toBeGreaterThanOrEqual(PROCESSES);
    const askedAt = performance.now();
    demo.signal('SIGTERM');
    expect(await demo.ended, demo.output).toBe(0);
    expect(performance.now() - askedAt).toBeLessThan(STOPS_WITHIN_MS);
    expect(stillAlive(demo.processes)).toEqual([]);
  });

  it('leaves nothing behind when its launcher is killed, and starts again', { timeout: 240_000 }, async () => {
    const killed = start();
    await killed.ready();
    expect(killed.processes.length).toBeGreaterThanOrEqual(PROCESSES);
    killed.signal('SIGKILL');
    await vi.waitFor(() => expect(stillAlive(killed.processes)).toEqual([]), { timeout: STOPS_WITHIN_MS });

    const next = start();
    await next.ready();
  });

  it('stops everything when the npm that started it is killed', { timeout: 150_000 }, async () => {
    const demo = startWith(['npm', 'run', 'demo']);
    await demo.ready();
    expect(demo.processes.length).toBeGreaterThan(PROCESSES);
    demo.signal('SIGKILL');
    await vi.waitFor(() => expect(stillAlive(demo.processes)).toEqual([]), { timeout: STOPS_WITHIN_MS });
  });
});
