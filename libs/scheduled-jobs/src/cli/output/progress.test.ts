import { describe, expect, it } from 'vitest';
import { Progress } from './progress.js';

function progress(isTerminal: boolean) {
  const written: string[] = [];
  const clock = { nowMs: 0 };
  return {
    written,
    clock,
    progress: new Progress({ write: (text) => written.push(text), isTerminal, nowMs: () => clock.nowMs }),
  };
}

describe('Progress', () => {
  it('draws a bar on one line of a terminal, a few times a second, and takes it away', () => {
    const { written, clock, progress: shown } = progress(true);
    shown.show({ text: 'replayed', done: 0, total: 400 });
    clock.nowMs = 100;
    shown.show({ text: 'replayed', done: 100, total: 400 });
    clock.nowMs = 150;
    shown.show({ text: 'replayed', done: 200, total: 400 });
    shown.end();
    shown.end();
    expect(written).toEqual(['\r\u001b[2K[######------------------] 25 %  100 of 400 replayed', '\r\u001b[2K']);
  });

  it('writes a line every ten seconds where nobody looks, and nothing for what is over before', () => {
    const { written, clock, progress: shown } = progress(false);
    for (const [nowMs, done] of [
      [9_999, 1],
      [10_000, 2],
      [15_000, 3],
      [20_000, 4],
    ] as const) {
      clock.nowMs = nowMs;
      shown.show({ text: 'executions removed', done, total: null });
    }
    shown.end();
    expect(written).toEqual(['2 executions removed\n', '4 executions removed\n']);
  });

  it('knows no share of nothing, and none above the whole', () => {
    const { written, clock, progress: shown } = progress(false);
    clock.nowMs = 10_000;
    shown.show({ text: 'replayed', done: 0, total: 0 });
    clock.nowMs = 20_000;
    shown.show({ text: 'replayed', done: 7, total: 5 });
    expect(written).toEqual(['0 replayed\n', '100 %  7 of 5 replayed\n']);
  });
});
