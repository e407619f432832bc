import type { Span } from '@opentelemetry/api';
import type { TickSpan } from '../../core/ports/tick-tracer.js';

/** How a tick's span begins, and what it is to the executions. */
export interface TickSpanParts {
  readonly begin: (startTime: number) => Span;
  readonly traceParentOf: (span: Span) => string | null;
  readonly markFailed: (span: Span, error: unknown) => void;
}

/** A span that begins when it is needed, and is as long as its tick. */
export class LiveTickSpan implements TickSpan {
  private readonly startTime = Date.now();
  private span: Span | null = null;

  constructor(private readonly parts: TickSpanParts) {}

  traceParent(): string | null {
    try {
      this.span ??= this.parts.begin(this.startTime);
      return this.parts.traceParentOf(this.span);
    } catch {
      return null; // A sampler or a processor that throws must not stop a schedule.
    }
  }

  end({ inserted, skipped }: { readonly inserted: number; readonly skipped: number }): void {
    this.span?.setAttribute('messaging.batch.message_count', inserted + skipped).end();
  }

  fail(error: unknown): void {
    if (this.span === null) return;
    this.parts.markFailed(this.span, error);
    this.span.end();
  }
}
