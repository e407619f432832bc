import type { Span } from '@opentelemetry/api';
import { describe, expect, it, vi } from 'vitest';
import { LiveTickSpan, type TickSpanParts } from './live-tick-span.js';

const spanOf = () => ({
  setAttribute: vi.fn<(name: string, value: unknown) => unknown>().mockReturnThis(),
  end: vi.fn<() => void>(),
});
const parts = (span: object, { begin = () => span as Span } = {}) => ({
  begin: vi.fn<TickSpanParts['begin']>(begin),
  traceParentOf: () => '00-a-b-01',
  markFailed: vi.fn<TickSpanParts['markFailed']>(),
});

describe('the span of a tick', () => {
  it('begins once, with the first execution that is planned', () => {
    const span = spanOf();
    const made = parts(span);
    const tick = new LiveTickSpan(made);
    expect([tick.traceParent(), tick.traceParent()]).toEqual(['00-a-b-01', '00-a-b-01']);
    tick.end({ inserted: 2, skipped: 1 });
    expect(made.begin).toHaveBeenCalledTimes(1);
    expect(span.setAttribute).toHaveBeenCalledWith('messaging.batch.message_count', 3);
    expect(span.end).toHaveBeenCalledTimes(1);
  });

  it('is none where nothing is planned, however the tick ends', () => {
    const made = parts(spanOf());
    new LiveTickSpan(made).end({ inserted: 0, skipped: 0 });
    new LiveTickSpan(made).fail(new Error('away'));
    expect(made.begin).not.toHaveBeenCalled();
    expect(made.markFailed).not.toHaveBeenCalled();
  });

  it('is marked when the tick is rolled back', () => {
    const span = spanOf();
    const made = parts(span);
    const tick = new LiveTickSpan(made);
    const error = new Error('away');
    tick.traceParent();
    tick.fail(error);
    expect(made.markFailed).toHaveBeenCalledWith(span, error);
    expect(span.end).toHaveBeenCalledTimes(1);
  });

  it('stops no schedule when a sampler throws', () => {
    const begin = () => {
      throw new Error('a sampler');
    };
    expect(new LiveTickSpan(parts(spanOf(), { begin })).traceParent()).toBeNull();
  });
});
