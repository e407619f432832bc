import type { EventSink } from '../core/events/engine-event.js';

/** A sink whose own failures never reach the work that it is told about. */
export const safeSink =
  (sink: EventSink): EventSink =>
  (event) => {
    try {
      sink(event);
    } catch {
      // There is nobody left to tell.
    }
  };
