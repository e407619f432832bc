import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { JobRun } from '../core/job/job-run.js';
import { currentRun, enterRun, followRuns } from './current-run.js';

const run = { key: 'job:a' } as JobRun<unknown>;

/** What a handler and the code that waits for it see. */
async function seen() {
  const handler = async () => {
    await Promise.resolve();
    enterRun(run);
    await nextTurn();
    return currentRun()?.key;
  };
  const turns = nextTurn().then(() => currentRun());
  const inside = await handler();
  return { inside, turns: await turns, after: currentRun(), later: await nextTurn().then(() => currentRun()) };
}

describe('currentRun', () => {
  it('ends with the function that entered the run, also for the first run of a process', async () => {
    followRuns();
    const { inside, ...outside } = await seen();
    expect(inside).toBe('job:a');
    expect(outside).toEqual({ turns: undefined, after: undefined, later: undefined });
  });
});
