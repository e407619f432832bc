import { describe, expect, it } from 'vitest';
import { useLedger } from '../support/ledger-tests.js';
import { after, T0 } from '../support/ledger.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const request = { requestId: 'a'.repeat(32), digest: 'b'.repeat(32) };

const ledgerOf = useLedger();

describe('a request', () => {
  it('is begun by one of many', async () => {
    const { requests } = ledgerOf().stores;
    const standings = await Promise.all(Array.from({ length: 8 }, () => requests.begin(request, T0)));
    expect(standings.filter(({ standing }) => standing === 'begun')).toHaveLength(1);
    expect(standings.filter(({ standing }) => standing === 'in-progress')).toHaveLength(7);
  });

  it('has the answer that was kept, for a day', async () => {
    const { requests } = ledgerOf().stores;
    await requests.begin(request, T0);
    await requests.answered(request, '{"created":true}');
    await requests.answered(request, '{"created":false}');
    const answered = { standing: 'answered', answer: { created: true } };
    expect(await requests.begin(request, after(DAY_MS))).toEqual(answered);
    expect(await requests.begin({ ...request, digest: 'c' }, after(DAY_MS))).toEqual({ standing: 'other' });
    expect(await requests.begin({ ...request, digest: 'c' }, after(DAY_MS + 1))).toEqual({ standing: 'begun' });
  });

  it('is begun again by itself when nobody has answered it for two minutes', async () => {
    const { requests } = ledgerOf().stores;
    await requests.begin(request, T0);
    expect(await requests.begin(request, after(2 * MINUTE_MS))).toEqual({ standing: 'in-progress' });
    expect(await requests.begin({ ...request, digest: 'c' }, after(3 * MINUTE_MS))).toEqual({ standing: 'other' });
    expect(await requests.begin(request, after(3 * MINUTE_MS))).toEqual({ standing: 'begun' });
  });

  it('is forgotten only without an answer', async () => {
    const { requests } = ledgerOf().stores;
    await requests.begin(request, T0);
    await requests.forget({ ...request, digest: 'c' });
    expect(await requests.begin(request, T0)).toEqual({ standing: 'in-progress' });
    await requests.forget(request);
    expect(await requests.begin(request, T0)).toEqual({ standing: 'begun' });
    await requests.answered(request, '{}');
    await requests.forget(request);
    expect(await requests.begin(request, T0)).toMatchObject({ standing: 'answered' });
  });

  it('is removed after a day, the oldest first', async () => {
    const { requests } = ledgerOf().stores;
    for (const n of [0, 1, 2]) await requests.begin({ requestId: String(n), digest: 'd' }, after(n * MINUTE_MS));
    const now = after(DAY_MS + MINUTE_MS + 1);
    expect(await requests.removeOld(1, now)).toBe(1);
    expect(await ledgerOf().sql('select id from requests order by id')).toEqual([{ id: '1' }, { id: '2' }]);
    expect(await requests.removeOld(10, now)).toBe(1);
    expect(await requests.removeOld(10, now)).toBe(0);
  });
});
