import { describe, expect, it } from 'vitest';
import { resolveHttpOptions } from '../jobs-http-options.js';
import { actorOf } from './actor-of.js';

const of = (user: unknown) => actorOf({ user }, resolveHttpOptions({ access: 'host' }));

describe('actorOf', () => {
  it.each([
    ['ann', 'ann'],
    [{ id: 0, name: 'ann' }, '0'],
    [{ id: null, name: '', email: 'ann@example.org', sub: '7' }, 'ann@example.org'],
    [{ id: 7n }, '7'],
    [{ id: { toString: () => 'x' } }, null],
    [null, null],
    ['', null],
    ['a\0b\ud800', 'a\ufffdb\ufffd'],
  ])('knows %o as %j', async (user, actor) => {
    expect(await of(user)).toBe(actor);
  });

  it('tells two apart whose long names begin alike', async () => {
    const [ann, bob] = await Promise.all([of(`${'x'.repeat(250)}ann`), of(`${'x'.repeat(250)}bob`)]);
    expect(ann).toHaveLength(200);
    expect(bob).toHaveLength(200);
    expect(ann).not.toBe(bob);
  });
});
