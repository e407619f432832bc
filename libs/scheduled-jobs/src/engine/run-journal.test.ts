import { describe, expect, it, vi } from 'vitest';
import { EventRecorder, eventually, gate } from '../../../../test/support/engine.js';
import { startStopStress } from '../../../../test/support/start-stop-stress.js';
import { StoreUnavailableError } from '../core/errors.js';
import type { LogLine, ProgressUpdate } from '../core/ports/work-store.js';
import { RunJournal } from './run-journal.js';

const lease = (leaseToken: string) => ({ executionId: leaseToken, leaseToken });
const line = (leaseToken: string, lineNo: number): LogLine => ({
  ...lease(leaseToken),
  lineNo,
  at: new Date(0),
  level: 'info',
  message: 'x',
  fields: null,
});

function setUp(append: (lines: readonly LogLine[]) => Promise<void> = async () => undefined) {
  const written = { lines: [] as (readonly LogLine[])[], progress: [] as (readonly ProgressUpdate[])[] };
  const time = { ms: 0 };
  const recorder = new EventRecorder();
  const journal = new RunJournal({
    store: {
      appendLogs: async (lines) => {
        await append(lines);
        written.lines.push(lines);
      },
      saveProgress: async (updates) => void written.progress.push(updates),
    },
    clock: { monotonicMs: () => time.ms, boundNow: () => null },
    emit: recorder.emit,
  });
  return { journal, written, time, recorder };
}

describe('RunJournal', () => {
  it('writes the lines of all runs together, at most once a second', async () => {
    const { journal, written } = setUp();
    journal.start();
    journal.append(line('1', 1));
    await eventually(() => written.lines.length === 1);
    for (let lineNo = 2; lineNo < 100; lineNo++) journal.append(line(String(lineNo % 3), lineNo));
    await new Promise((resolve) => setImmediate(resolve));
    expect(written.lines).toHaveLength(1);
    await journal.stop();
  });

  it('writes at once again after it had nothing to write for a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { journal, written, time } = setUp();
    const pass = async (ms: number) => {
      time.ms += ms;
      await vi.advanceTimersByTimeAsync(ms);
      await new Promise((resolve) => setImmediate(resolve));
    };
    journal.start();
    journal.append(line('1', 1));
    await pass(0);
    await pass(60_000);
    journal.append(line('1', 2));
    await pass(0);
    expect(written.lines).toHaveLength(2);
    await journal.stop();
    vi.useRealTimers();
  });

  it('writes the lines of a run that ends at once, with all that is there', async () => {
    const { journal, written } = setUp();
    journal.append(line('1', 1));
    journal.append(line('2', 1));
    await journal.close(lease('1'), { withinMs: 1_000 });
    expect(written.lines).toEqual([[line('1', 1), line('2', 1)]]);
  });

  it('waits at the end of a run for its lines that are being written', async () => {
    const held = gate();
    const writing = gate();
    const { journal, written } = setUp(() => {
      writing.open();
      return held.passed;
    });
    journal.start();
    journal.append(line('1', 1));
    await writing.passed;
    const linesAtClose = journal.close(lease('1'), { withinMs: 5_000 }).then(() => written.lines.length);
    held.open();
    expect(await linesAtClose).toBe(1);
    await journal.stop();
  });

  it('pauses longer after each failure while the database is away', async () => {
    const { journal, recorder } = setUp(() => Promise.reject(new StoreUnavailableError('append log lines')));
    journal.start();
    journal.append(line('1', 1));
    const grown = ({ retryInMs }: { readonly retryInMs: number }) => retryInMs > 400;
    await recorder.next('service.failed', { where: grown });
    expect(recorder.of('service.failed').length).toBeLessThanOrEqual(5);
    await journal.stop();
  });

  it('does not hold up a run when its lines cannot be written, and keeps them', async () => {
    let away = true;
    const { journal, written, time, recorder } = setUp(async () => {
      if (away) throw new StoreUnavailableError('append log lines');
    });
    journal.start();
    journal.append(line('1', 1));
    await recorder.next('service.failed');
    await journal.close(lease('1'), { withinMs: 20 });
    away = false;
    time.ms += 1_000;
    journal.append(line('1', 2));
    await eventually(() => written.lines.length > 0);
    expect(written.lines.flat().map(({ lineNo }) => lineNo)).toEqual([1, 2]);
    await journal.stop();
  });

  it('writes what is told after a write at the end of a run has failed', async () => {
    let away = true;
    const { journal, written, time } = setUp(async () => {
      if (away) throw new StoreUnavailableError('append log lines');
    });
    journal.start();
    await journal.close(lease('1'), { withinMs: 20 });
    time.ms = 500;
    journal.append(line('1', 1));
    await journal.close(lease('1'), { withinMs: 20 });
    away = false;
    time.ms += 1_000;
    journal.append(line('2', 1));
    await eventually(() => written.lines.length > 0);
    expect(written.lines.flat()).toEqual([line('1', 1), line('2', 1)]);
    await journal.stop();
  });

  it('writes only the latest progress of a run, and none of one that has ended', async () => {
    const { journal, written, time } = setUp();
    journal.start();
    journal.show({ ...lease('1'), stage: 'a', percent: 1 });
    await eventually(() => written.progress.length === 1);
    for (let percent = 2; percent <= 50; percent++) journal.show({ ...lease('1'), stage: 'a', percent });
    journal.show({ ...lease('2'), stage: 'b', percent: 5 });
    await journal.close(lease('2'), { withinMs: 100 });
    time.ms += 1_000;
    journal.append(line('3', 1));
    await journal.close(lease('3'), { withinMs: 1_000 });
    expect(written.progress).toEqual([
      [{ ...lease('1'), stage: 'a', percent: 1 }],
      [{ ...lease('1'), stage: 'a', percent: 50 }],
    ]);
    await journal.stop();
  });

  it('survives starts and stops in any order', async () => {
    const { journal, written } = setUp();
    const quiet = await startStopStress(journal, () => Promise.resolve(written.lines.length === 0));
    expect(quiet).toBe(true);
  });
});
