import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { resolveJob } from '../../../libs/scheduled-jobs/dist/core/job/resolve-job.js';

/** Leases as short as they can be, and as many attempts as a test may need. */
const SHARED = { lease: '1s', retry: { maxAttempts: 50, backoff: ['100ms'] } };
const scheduled = (cron, options = {}) => ({
  kind: 'scheduled',
  cron,
  options: { timeZone: 'UTC', ...SHARED, ...options },
});
const background = (options = {}) => ({ kind: 'background', options: { ...SHARED, ...options } });

/** An effect outside of any transaction of the run: it counts calls of the handler. */
const noteCall = (dataSource, run) =>
  dataSource.query('insert into effects (key, attempt, lease_token, pid) values ($1, $2, $3, $4)', [
    run.key,
    run.attempt,
    run.leaseToken,
    process.pid,
  ]);

async function block(run, tell) {
  tell({ type: 'started', key: run.key, attempt: run.attempt });
  if (run.attempt === 1) {
    const { afterMs = 50, blockMs, thenMs = 0 } = run.payload;
    await delay(afterMs);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockMs);
    await delay(thenMs);
    tell({ type: 'settled', aborted: run.signal.aborted });
  }
  return { pid: process.pid };
}

/** Every second, for half of `longestMs` and more; one of five attempts fails. */
const overlapping = (overlap, longestMs = 1_600) => ({
  ...scheduled('* * * * * *', { overlap }),
  handler: async (run) => {
    const dice = createHash('sha256').update(`${run.key} ${run.attempt}`).digest();
    await delay((longestMs / 2) * (1 + dice[0] / 255), undefined, { signal: run.signal });
    if (dice[1] < 51) throw new Error('One of five.');
  },
});

const JOBS = {
  'overlapping-allow': overlapping('allow'),
  // Short enough that the one at a time keeps up with the clock.
  'overlapping-queue': overlapping('queue', 600),
  'overlapping-queue-latest': overlapping('queue-latest'),
  'overlapping-skip': overlapping('skip'),
  'overlapping-replace': overlapping('replace'),

  /** Every second, and quick: a lease that even a busy machine does not let run out, so that it is called once. */
  second: { ...scheduled('* * * * * *', { lease: '3s' }), handler: (run, { dataSource }) => noteCall(dataSource, run) },

  /** Every other second, and quick. */
  'two-seconds': { ...scheduled('*/2 * * * * *'), handler: (run, { dataSource }) => noteCall(dataSource, run) },

  /** Every second; its first attempt fails. */
  uneasy: {
    ...scheduled('* * * * * *'),
    handler: (run) => {
      if (run.attempt === 1) throw new Error('Not yet.');
    },
  },

  /** Every second: ten points to each account, ten accounts in a transaction, slow enough to be killed in between. */
  points: {
    ...scheduled('* * * * * *'),
    handler: (run, { tell }) => {
      tell({ type: 'started', key: run.key, attempt: run.attempt });
      return run.items(
        {
          name: 'accounts',
          size: 10,
          key: ({ id }) => id,
          source: (after, size, tx) =>
            tx.query('select id from accounts where id > $1 order by id limit $2', [after ?? 0, size]),
        },
        async (accounts, tx) => {
          const ids = accounts.map(({ id }) => id);
          await tx.query('update accounts set balance = balance + 10 where id = any ($1)', [ids]);
          await delay(15);
        },
      );
    },
  },

  /** Two seconds of work that pays no attention to its signal. */
  slow: {
    ...background(),
    handler: async (run, { dataSource, tell }) => {
      tell({ type: 'started', key: run.key, attempt: run.attempt });
      await delay(2_000);
      await noteCall(dataSource, run);
    },
  },

  /** Its first attempt never ends; a later one does at once. */
  endless: {
    ...background({ abortGrace: '10s' }),
    handler: async (run, { dataSource, tell }) => {
      await noteCall(dataSource, run);
      tell({ type: 'started', key: run.key, attempt: run.attempt });
      const [{ calls }] = await dataSource.query('select count(*)::int as calls from effects where key = $1', [
        run.key,
      ]);
      if (calls === 1) await new Promise(() => undefined);
    },
  },

  /** Pays an account in a transaction; the first attempt waits inside of it until its signal fires. */
  frozen: {
    ...background(),
    handler: async (run, { dataSource, tell }) => {
      await noteCall(dataSource, run);
      const paid = run.transaction(async (tx) => {
        await tx.query('update accounts set balance = balance + 10 where id = 1');
        if (run.attempt > 1) return;
        tell({ type: 'in-transaction', key: run.key });
        await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }));
        tell({ type: 'signal-fired', code: run.signal.reason.code });
        await tx.query('update accounts set balance = balance + 1000 where id = 1');
      });
      await paid.catch((error) => tell({ type: 'rolled-back', error: String(error) }));
      await dataSource.query('update accounts set touched_by = touched_by || $1::int where id = 1', [process.pid]);
      return { pid: process.pid };
    },
  },

  /** Its effect and its completion are one transaction; the first attempt of every third one rolls it back. */
  transfer: {
    ...background({ transactional: true }),
    handler: async (run) => {
      await run.manager.query('insert into effects (key, attempt, lease_token, pid) values ($1, $2, $3, $4)', [
        run.key,
        run.attempt,
        run.leaseToken,
        process.pid,
      ]);
      if (run.attempt === 1 && Number(run.key.split(':')[1]) % 3 === 0) throw new Error('Not yet.');
    },
  },

  /** Its first attempt blocks the event loop for `blockMs`, then goes on for `thenMs` whatever its signal says. */
  blocking: { ...background(), handler: (run, { tell }) => block(run, tell) },

  /** The same, but its lease is renewed for a second of a block only. */
  'blocking-limited': { ...background({ blockedLoopLimit: '1s' }), handler: (run, { tell }) => block(run, tell) },

  /** Takes its whole process along, each time. */
  killer: {
    ...background(),
    handler: async (run, { tell }) => {
      tell({ type: 'killing', attempt: run.attempt });
      await delay(100);
      process.kill(process.pid, 'SIGKILL');
    },
  },

  /** Long enough to be caught beside a killer, then its effect. */
  bystander: {
    ...background(),
    handler: async (run, { dataSource }) => {
      await delay(300);
      await noteCall(dataSource, run);
    },
  },

  /** A step with an effect elsewhere, then one whose effect and record are one transaction. */
  steps: {
    ...background(),
    handler: async (run, { dataSource }) => {
      const note = (db, { idempotencyKey }) =>
        db.query('insert into effects (key, attempt, lease_token, pid) values ($1, $2, $3, $4)', [
          idempotencyKey,
          run.attempt,
          run.leaseToken,
          process.pid,
        ]);
      await run.step('charge', (step) => note(dataSource, step));
      await run.stepInTransaction('pay', (tx, step) => note(tx, step));
    },
  },

  /** Ten points to each account of a frozen set, ten accounts in a transaction. */
  'frozen-set': {
    ...background(),
    handler: (run) =>
      run.items(
        {
          name: 'accounts',
          size: 10,
          frozen: true,
          key: ({ id }) => id,
          source: (after, size, tx) =>
            tx.query('select id from accounts where id > $1 order by id limit $2', [after ?? 0, size]),
          load: (keys, tx) => tx.query('select id from accounts where id = any ($1)', [keys]),
        },
        async (accounts, tx) => {
          const ids = accounts.map(({ id }) => id);
          await tx.query('update accounts set balance = balance + 10 where id = any ($1)', [ids]);
        },
      ),
  },

  /** Nothing but its effect. */
  once: { ...background(), handler: (run, { dataSource }) => noteCall(dataSource, run) },
};

/** The named jobs, resolved and bound to this process; `second-3` is a further job like `second`. */
export function testJobs(names, context) {
  return names.map((name) => {
    const { kind, cron, options, handler } = JOBS[name.replace(/-\d+$/, '')];
    const declared = { kind, cron, options: { name, ...options }, place: `jobs.${name}` };
    const { definition, problems } = resolveJob(declared, { timeZone: null, overrides: {} });
    if (definition === null) throw new Error(problems.join('\n'));
    return { definition, handler: (run) => handler(run, context) };
  });
}
