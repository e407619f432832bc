import { expect, it } from 'vitest';
import { untilDone } from './until-done.js';

const { signal } = new AbortController();

it('looks until it is done, and shows what is not', async () => {
  const shown: number[] = [];
  let looks = 0;
  const look = () => Promise.resolve((looks += 1));
  const found = await untilDone({ look, isDone: (at) => at === 3, show: (at) => shown.push(at), everyMs: 0, signal });
  expect([found, shown]).toEqual([3, [1, 2]]);
});

it('fails when a look fails', async () => {
  const look = () => Promise.reject(new Error('away'));
  await expect(untilDone({ look, isDone: () => true, show: () => {}, signal })).rejects.toThrow('away');
});

it('looks once more when nobody waits any more', async () => {
  const breaking = new AbortController();
  let looks = 0;
  const look = () => Promise.resolve((looks += 1));
  const show = () => breaking.abort();
  expect(await untilDone({ look, isDone: () => false, show, signal: breaking.signal })).toBe(2);
});
