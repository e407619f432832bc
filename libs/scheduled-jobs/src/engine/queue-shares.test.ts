import { describe, expect, it } from 'vitest';
import { shareOut } from './queue-shares.js';

const shares = (places: number, queues: string[], turn: number) =>
  queues.map((queue) => shareOut(places, queues, turn).get(queue));

describe('shareOut', () => {
  it('gives equal shares, and what is left over in turns', () => {
    expect(shares(9, ['a', 'b', 'c'], 0)).toEqual([3, 3, 3]);
    expect(shares(10, ['a', 'b', 'c'], 0)).toEqual([4, 3, 3]);
    expect(shares(10, ['a', 'b', 'c'], 2)).toEqual([3, 3, 4]);
    expect(shares(1, ['a', 'b', 'c'], 1)).toEqual([0, 1, 0]);
    expect(shares(0, ['a', 'b'], 1)).toEqual([0, 0]);
    expect(shares(7, ['a'], 0)).toEqual([7]);
  });

  it('prefers no queue over a round of turns', () => {
    const queues = ['a', 'b', 'c', 'd'];
    const sums = queues.map((_, index) =>
      queues.reduce((sum, __, turn) => sum + (shares(6, queues, turn)[index] ?? 0), 0),
    );
    expect(sums).toEqual([6, 6, 6, 6]);
  });
});
