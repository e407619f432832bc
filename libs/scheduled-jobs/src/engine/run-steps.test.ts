import { describe, expect, it } from 'vitest';
import { InvalidOptionsError, PermanentError } from '../core/errors.js';
import type { StepContext } from '../core/job/run-steps.js';
import type { StepRecord } from '../core/ports/step-store.js';
import { StepResultError } from '../core/step-errors.js';
import { RunSteps } from './run-steps.js';

const AT = new Date('2026-03-01T12:00:00Z');

/** What is recorded of one execution; `fail` is what the next record or look throws. */
class FakeStore {
  readonly records = new Map<string, string | null>();
  looks = 0;
  fail: Error | null = null;

  async find(): Promise<ReadonlyMap<string, string | null>> {
    this.looks += 1;
    this.failOnce();
    return new Map(this.records);
  }

  async record(_lease: unknown, { stepName, result }: StepRecord): Promise<void> {
    this.failOnce();
    if (this.records.has(stepName)) throw new Error('duplicate key');
    this.records.set(stepName, result);
  }

  private failOnce(): void {
    const { fail } = this;
    this.fail = null;
    if (fail !== null) throw fail;
  }
}

function attempt({ store = new FakeStore(), key = 'orders:4711' } = {}) {
  const controller = new AbortController();
  const steps = new RunSteps<null>({
    lease: { executionId: '1', leaseToken: '7', key },
    signal: controller.signal,
    store,
    now: () => AT,
    watched: (statement) => statement(),
    transaction: (work) => work(null),
  });
  let calls = 0;
  const counted = (value: unknown) => () => ((calls += 1), value);
  const { step, stepInTransaction } = steps;
  return { step, stepInTransaction, store, controller, counted, calls: () => calls };
}

describe('RunSteps', () => {
  it('does a step once, in one attempt and over several', async () => {
    const first = attempt();
    expect(await first.step('charge', first.counted({ id: 'c1' }))).toEqual({ id: 'c1' });
    expect(await first.step('charge', first.counted('never'))).toEqual({ id: 'c1' });
    const second = attempt({ store: first.store });
    expect(await second.step('charge', second.counted('never'))).toEqual({ id: 'c1' });
    expect(await second.step('mail', second.counted(undefined))).toBeNull();
    expect([first.calls(), second.calls()]).toEqual([1, 1]);
  });

  it('reads what is recorded once', async () => {
    const { step, store } = attempt();
    await Promise.all(['a', 'b', 'c'].map((name) => step(name, () => name)));
    await step('a', () => 'never');
    expect(store.looks).toBe(1);
  });

  it('gives the result as JSON keeps it, also the first time, and each time a copy of its own', async () => {
    const { step } = attempt();
    const first = await step<unknown>('quote', () => ({ at: AT, none: undefined }));
    expect(first).toEqual({ at: '2026-03-01T12:00:00.000Z' });
    expect(await step('quote', () => null)).toEqual(first);
    expect(await step('quote', () => null)).not.toBe(first);
  });

  it('does a step that has failed again, also in the same attempt', async () => {
    const { step, store } = attempt();
    await expect(step('a', () => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
    expect(store.records.size).toBe(0);
    expect(await step('a', () => 1)).toBe(1);
  });

  it('looks again when a record failed, because it may be there all the same', async () => {
    const { step, store } = attempt();
    await step('before', () => 0);
    store.fail = new Error('no answer');
    await expect(step('a', () => 1)).rejects.toThrow('no answer');
    store.records.set('a', '1');
    expect(await step('a', () => 2)).toBe(1);
  });

  it('looks again when it could not read', async () => {
    const { step, store } = attempt();
    store.fail = new Error('away');
    await expect(step('a', () => 1)).rejects.toThrow('away');
    expect(await step('a', () => 1)).toBe(1);
  });

  it('refuses the same name twice at once', async () => {
    const { step, stepInTransaction } = attempt();
    const both = await Promise.allSettled([step('a', () => 1), stepInTransaction('a', () => 2), step('b', () => 3)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((both[1] as PromiseRejectedResult).reason).toBeInstanceOf(PermanentError);
    expect(await step('a', () => 4)).toBe(1);
  });

  it('begins nothing once the signal has fired', async () => {
    const { step, controller, calls, counted } = attempt();
    controller.abort(new Error('stop'));
    await expect(step('a', counted(1))).rejects.toThrow('stop');
    expect(calls()).toBe(0);
  });

  it('gives each step a key of its own that no other step or execution has', async () => {
    const keyOf = async (name: string, key: string) => {
      let seen: StepContext | undefined;
      await attempt({ key }).step(name, (step) => void (seen = step));
      return seen?.idempotencyKey;
    };
    expect(await keyOf('charge', 'orders:4711')).toBe('charge/orders:4711');
    expect(await keyOf('charge', 'orders:4711')).toBe('charge/orders:4711');
    const keys = [
      await keyOf('a/b', 'x:c'),
      await keyOf('a', 'b:x/x:c'),
      await keyOf('x:a', 'b:c'),
      'x:a/b:c',
      'b:x/x:c',
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([
    ['too large', 'x'.repeat(262_145), /262147 bytes/],
    ['no plain data', 1n, /not plain data/],
    ['not to be stored', { text: '\0' }, /U\+0000/],
  ])('refuses a result that is %s with an error that names the step', async (_, value, text) => {
    const { step, store } = attempt();
    const error: unknown = await step('render', () => value).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StepResultError);
    expect(error).toBeInstanceOf(PermanentError);
    expect(error).toMatchObject({ code: 'JOBS_STEP_RESULT', stepName: 'render', message: expect.stringMatching(text) });
    expect(store.records.size).toBe(0);
  });

  it('refuses more results than 16 MiB together', async () => {
    const store = new FakeStore();
    for (let count = 0; count < 63; count++) store.records.set(`big ${count}`, JSON.stringify('x'.repeat(262_142)));
    const { step } = attempt({ store });
    await step('fits', () => 'x'.repeat(262_142));
    await expect(step('more', () => 'x')).rejects.toThrow(/16777219 bytes, more than 16777216/);
  });

  it('refuses the 1,001st step, and gives the results of the others', async () => {
    const store = new FakeStore();
    for (let count = 1; count < 1_000; count++) store.records.set(`step ${count}`, null);
    const { step } = attempt({ store });
    const ends = await Promise.allSettled([step('one', () => 1), step('two', () => 2), step('step 5', () => 5)]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(step('two', () => 2)).rejects.toThrow(/has 1000 steps/);
  });

  it.each(['', 'x'.repeat(101), 'a\0', '\uD800', 7, undefined])('refuses the name %j', async (name) => {
    await expect(attempt().step(name as string, () => 1)).rejects.toThrow(InvalidOptionsError);
  });

  it('takes a name of 100 characters', async () => {
    expect(await attempt().step('🚀'.repeat(100), () => 1)).toBe(1);
  });
});
