import { shiftClock } from './shifted-clock.mjs';

/** What the parent may ask for. */
export async function answerCommand(command, { stores, tell }) {
  if (command.type === 'enqueue') await enqueue(command, { stores, tell });
  if (command.type === 'block') {
    // Blocks as a synchronous handler does, without taking the processor from the other processes of a test.
    await new Promise((resolve) => tell({ type: 'blocking' }, resolve));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, command.ms);
    tell({ type: 'unblocked' });
  }
  if (command.type === 'measure-heap') {
    globalThis.gc?.();
    tell({ type: 'heap-measured', heapUsed: process.memoryUsage().heapUsed });
  }
  if (command.type === 'shift-clock') tell({ type: 'clock-shifted', nowMs: shiftClock(command.offsetMs) });
}

async function enqueue(command, { stores, tell }) {
  const inserts = Array.from({ length: command.times }, () =>
    stores.executions.insert([command.execution], { tx: null, now: null }),
  );
  const answers = (await Promise.all(inserts)).flat();
  tell({
    type: 'enqueued',
    created: answers.filter(({ created }) => created).length,
    executionIds: [...new Set(answers.map(({ executionId }) => executionId))],
  });
}
