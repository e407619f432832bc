import { expect, it } from 'vitest';
import { untilDone } from './until-done.js';

it('looks until it is done, and shows what is not', async () => {
  const shown: number[] = [];
  let looks = 0;
  const look = () => Promise.resolve((looks += 1));
  const found = await untilDone({ look, isDone: (at) => at === 3, show: (at) => shown.push(at), everyMs: 0 });
  expect([found, shown]).toEqual([3, [1, 2]]);
});

it('fails when a look fails', async () => {
  const look = () => Promise.reject(new Error('away'));
  await expect(untilDone({ look, isDone: () => true, show: () => {} })).rejects.toThrow('away');
});
