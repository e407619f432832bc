// pg-boss at its best: four workers, batches of 500, the next batch at once after a full one.
import { PgBoss } from 'pg-boss';
import { serve } from '../sides/side.mjs';

const QUEUE = 'noop';
const CONNECTIONS = 52;
const WORK = { batchSize: 500, localConcurrency: 4, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 };

let handle;
let boss;

/** What makes an insert of the same job a second time do nothing. */
const idOf = ({ i }) => `00000000-0000-4000-8000-${i.toString(16).padStart(12, '0')}`;

serve({
  async open({ url, hints, ...options }) {
    handle = options.handle;
    boss = new PgBoss({ connectionString: url, max: CONNECTIONS, useListenNotify: hints });
    boss.on('error', (error) => console.error(error));
    await boss.start();
    await boss.createQueue(QUEUE, { notify: hints });
  },
  async startWorker() {
    await boss.work(QUEUE, WORK, async (jobs) => {
      for (const { data } of jobs) handle(data);
    });
  },
  stopWorker: () => boss.offWork(QUEUE),
  enqueueMany: async (payloads, keyed) =>
    boss.insert(
      QUEUE,
      payloads.map((data) => (keyed ? { data, id: idOf(data) } : { data })),
    ),
  enqueue: (payload) => boss.send(QUEUE, payload),
  close: () => boss.stop({ graceful: false }),
});
