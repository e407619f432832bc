import { Injectable } from '@nestjs/common';
import type { EngineEvent, EventSink } from '../../core/events/engine-event.js';

/** Hands each event of the engine to every subscriber. A subscriber that throws is ignored. */
@Injectable()
export class EngineEvents {
  private readonly sinks = new Set<EventSink>();

  /** What the engine writes to. */
  readonly emit: EventSink = (event: EngineEvent) => {
    for (const sink of this.sinks) {
      try {
        sink(event);
      } catch {
        // Telling about work must never stop it.
      }
    }
  };

  /** Returns the function that ends the subscription. */
  subscribe(sink: EventSink): () => void {
    this.sinks.add(sink);
    return () => this.sinks.delete(sink);
  }
}
