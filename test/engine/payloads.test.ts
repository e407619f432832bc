import { describe, expect, it } from 'vitest';
import { encodePayload } from '../../libs/scheduled-jobs/src/core/execution/payload.js';
import { useLedger } from '../support/ledger-tests.js';
import { newExecution, T0 } from '../support/ledger.js';
import { useWorkers } from '../support/test-workers.js';

describe('A payload', () => {
  const ledger = useLedger();
  const startWorker = useWorkers(ledger);

  it('comes to the handler as the round-trip table says', async () => {
    const table: readonly (readonly [given: unknown, got: unknown])[] = [
      [undefined, null],
      [null, null],
      [{ gone: undefined, kept: null }, { kept: null }],
      [
        [undefined, 1],
        [null, 1],
      ],
      [{ at: new Date('2026-08-14T00:00:00Z') }, { at: '2026-08-14T00:00:00.000Z' }],
      [-0, 0],
      [
        [-0, 0.1, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, 1e308],
        [0, 0.1, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, 1e308],
      ],
      ['', ''],
      [false, false],
      ['汉 😀 \\u0000 as text "quoted"', '汉 😀 \\u0000 as text "quoted"'],
      [{ 'a "name"': { '': [] } }, { 'a "name"': { '': [] } }],
      [new URL('https://a.example/b'), 'https://a.example/b'],
    ];
    const worker = await startWorker({ job: (run) => [run.payload] });
    const payloads = table.map(([given]) => encodePayload(given));
    expect(payloads.flatMap(({ problems }) => problems)).toEqual([]);
    const ids = await worker.enqueue('job', ...payloads.map(({ json }) => ({ payload: json })));
    for (const [at, id] of ids.entries()) {
      expect((await worker.ended(id)).result).toEqual([table[at]?.[1]]);
    }
  });

  it('at its limit, of a job with the longest name, is announced by a hint that says nothing of it', async () => {
    const listener = await ledger().client();
    const heard: (string | undefined)[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload));
    await listener.query('listen scheduled_jobs_hints');
    const { json } = encodePayload('x'.repeat(1_048_574));
    const execution = newExecution({ jobName: 'j'.repeat(100), key: `${'j'.repeat(100)}:1`, payload: json });
    await ledger().stores.executions.insert([execution], { tx: null, now: T0 });
    await ledger().dataSource.transaction(async (tx) => {
      await ledger().stores.executions.insert([{ ...execution, key: null }], { tx, now: T0 });
    });
    const runner = ledger().dataSource.createQueryRunner();
    await runner.query('begin');
    await ledger().stores.executions.insert([{ ...execution, key: null }], { tx: runner.manager, now: T0 });
    await runner.query('commit');
    await runner.release();
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    expect(new Set(heard)).toEqual(new Set(['']));
    expect(
      await ledger().row(`select count(*)::int as n, max(length(payload #>> '{}')) as longest from executions`),
    ).toEqual({ n: 3, longest: 1_048_574 });
  });
});
