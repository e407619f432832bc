import { describe, expect, it } from 'vitest';
import { gate } from '../../../../test/support/engine.js';
import { RunPermits } from './run-permits.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

function setUp(limit: number) {
  const permits = new RunPermits(() => limit);
  const entered: string[] = [];
  const enter = (owner: string, work: () => Promise<unknown> = async () => null, signal?: AbortSignal) =>
    permits.within(owner, signal, () => {
      entered.push(owner);
      return work();
    });
  return { enter, entered };
}

describe('RunPermits', () => {
  it('lets no more in than there are, and the next in the order in which they came', async () => {
    const { enter, entered } = setUp(2);
    const [a, b] = [gate(), gate()];
    const all = [enter('a', () => a.passed), enter('b', () => b.passed), enter('c'), enter('d')];
    await nextTurn();
    expect(entered).toEqual(['a', 'b']);
    b.open();
    await nextTurn();
    expect(entered).toEqual(['a', 'b', 'c', 'd']);
    a.open();
    await Promise.all(all);
  });

  it('gives the permit on when the work fails', async () => {
    const { enter } = setUp(1);
    await expect(enter('a', () => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
    await enter('b');
  });

  it('lets those go that are no longer to wait, and never calls their work', async () => {
    const { enter, entered } = setUp(1);
    const [first, abort] = [gate(), new AbortController()];
    const a = enter('a', () => first.passed);
    const b = enter('b', async () => null, abort.signal);
    const c = enter('c');
    abort.abort(new RangeError('stop'));
    await expect(b).rejects.toThrow(RangeError);
    await expect(enter('b', async () => null, abort.signal)).rejects.toThrow(RangeError);
    first.open();
    await Promise.all([a, c]);
    expect(entered).toEqual(['a', 'c']);
  });

  it('takes no second permit for a transaction inside another one of the same run', async () => {
    const { enter, entered } = setUp(1);
    await enter('a', () => enter('a', () => enter('a')));
    expect(entered).toEqual(['a', 'a', 'a']);
  });

  it('takes a permit of its own for what goes on after the transaction that started it', async () => {
    const { enter, entered } = setUp(1);
    const [other, left] = [gate(), gate()];
    let late: Promise<unknown> = Promise.resolve();
    await enter('a', async () => {
      late = left.passed.then(() => enter('a'));
    });
    const b = enter('b', () => other.passed);
    left.open();
    await nextTurn();
    expect(entered).toEqual(['a', 'b']);
    other.open();
    await Promise.all([b, late]);
    expect(entered).toEqual(['a', 'b', 'a']);
  });
});
