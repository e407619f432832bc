import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWakeTimer } from './wake-timer.js';

describe('createWakeTimer', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('wakes once, after the latest delay only', () => {
    const wake = vi.fn<() => void>();
    const timer = createWakeTimer();
    timer.set(10, wake);
    timer.set(50, wake);
    vi.advanceTimersByTime(49);
    expect(wake).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(wake).toHaveBeenCalledOnce();
  });

  it('does not wake once it is cleared', () => {
    const wake = vi.fn<() => void>();
    const timer = createWakeTimer();
    timer.set(10, wake);
    timer.clear();
    vi.advanceTimersByTime(1_000);
    expect(wake).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits longer than the 2^31 ms that a timeout can', () => {
    const wake = vi.fn<() => void>();
    createWakeTimer().set(30 * 86_400_000, wake);
    vi.advanceTimersByTime(30 * 86_400_000 - 1);
    expect(wake).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(wake).toHaveBeenCalledOnce();
  });

  it('waits for ever for an infinite delay', () => {
    const wake = vi.fn<() => void>();
    const timer = createWakeTimer();
    timer.set(Number.POSITIVE_INFINITY, wake);
    vi.advanceTimersByTime(100 * 86_400_000);
    expect(wake).not.toHaveBeenCalled();
    timer.clear();
  });
});
