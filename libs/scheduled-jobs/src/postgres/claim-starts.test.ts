import { describe, expect, it } from 'vitest';
import { ClaimStarts } from './claim-starts.js';
import type { ClaimedRow } from './statements/claim-work.sql.js';

const PLACE = { priority: 0, run_s: 7 };
const rows = (id: string, parts: Partial<ClaimedRow> = {}): readonly ClaimedRow[] => [
  { id, queue: 'a', took_ms: 10, ...parts } as ClaimedRow,
];
const FRONT = { priority: -32_768, runSeconds: Number.NEGATIVE_INFINITY, id: '0' };

/** Starts after a number of claims from the front that took 10 ms each. */
function slowFor(times: number) {
  const time = { ms: 0 };
  const starts = new ClaimStarts(() => time.ms);
  for (let n = 0; n < times; n++) {
    time.ms += 1_000;
    starts.of(['a']);
    expect(starts.claimed(rows(String(n)))).toBe(true);
  }
  return { starts, time };
}

/** Starts that know the place of the row 9 in the queue a. */
function knowing() {
  const parts = slowFor(5);
  parts.time.ms += 1_000;
  expect(parts.starts.of(['a'])).toEqual([FRONT]);
  parts.starts.claimed(rows('9', PLACE));
  return parts;
}

describe('ClaimStarts', () => {
  it('begins at the front while claims are quick, or only now and then slow', () => {
    const { starts } = slowFor(4);
    starts.of(['a']);
    starts.claimed(rows('5', { took_ms: 1 }));
    starts.claimed(rows('6'));
    expect(starts.of(['a'])).toBeNull();
  });

  it('goes on from the row that was claimed last, once the front is slow', () => {
    const { starts } = knowing();
    expect(starts.of(['a', 'b'])).toEqual([{ priority: 0, runSeconds: 7, id: '9' }, FRONT]);
    starts.claimed(rows('11', PLACE));
    expect(starts.of(['a'])).toEqual([{ priority: 0, runSeconds: 7, id: '11' }]);
  });

  it('begins at the front again after 20 times as long as that takes', () => {
    const { starts, time } = knowing();
    time.ms += 199;
    expect(starts.of(['a'])).not.toEqual([FRONT]);
    time.ms += 1;
    expect(starts.of(['a'])).toEqual([FRONT]);
    starts.claimed(rows('12', { ...PLACE, took_ms: 1 }));
    expect(starts.of(['a'])).toBeNull();
  });

  it('begins at the front again when nothing is found behind a place', () => {
    const { starts } = knowing();
    starts.of(['a']);
    expect(starts.claimed([])).toBe(false);
    expect(starts.of(['a'])).toEqual([FRONT]);
    expect(starts.claimed([])).toBe(true);
  });
});
