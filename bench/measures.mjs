// All measures, in the order in which they run.
import { browse } from './measures/browse.mjs';
import { catchUp } from './measures/catch-up.mjs';
import { drain } from './measures/drain.mjs';
import { dueAtOnce } from './measures/due-at-once.mjs';
import { enqueueInBulk } from './measures/enqueue-in-bulk.mjs';
import { enqueueSingly } from './measures/enqueue-singly.mjs';
import { finishedRows } from './measures/finished-rows.mjs';
import { idleLoad } from './measures/idle-load.mjs';
import { latency } from './measures/latency.mjs';
import { oldSnapshot } from './measures/old-snapshot.mjs';

/** @type {readonly import('./measure.mjs').Measure[]} */
export const MEASURES = [
  dueAtOnce,
  catchUp,
  drain,
  enqueueInBulk,
  enqueueSingly,
  latency,
  idleLoad,
  finishedRows,
  oldSnapshot,
  browse,
];
