import { effect, signal } from '@preact/signals';
import { MOUNT } from '../router/router.js';
import type { ChangeHint } from './answers.js';
import { isVisible } from './presence.js';

/** Whether hints come: `live`; otherwise the page looks by itself, or rests while nobody sees it. */
export type Liveness = 'live' | 'polling' | 'paused';
export const liveness = signal<Liveness>('polling');

const TRY_AGAIN_MS = 60_000;
const listeners = new Set<(hint: ChangeHint) => void>();

/** Hints are only that: one may be lost, so whoever listens also looks now and then. Gives what ends it. */
export function onHint(listener: (hint: ChangeHint) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps one stream of hints open while somebody sees the page. */
export function followHints(): void {
  effect(() => (isVisible.value ? openStream() : rest()));
}

function rest(): void {
  liveness.value = 'paused';
}

function openStream(): () => void {
  let stream: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    stream = new EventSource(`${MOUNT}api/events`, { withCredentials: true });
    stream.addEventListener('open', () => (liveness.value = 'live'));
    stream.addEventListener('change', ({ data }: MessageEvent<string>) => tell(data));
    stream.addEventListener('error', () => {
      liveness.value = 'polling';
      // the browser itself connects again after a broken line, but not after an answer that refuses
      if (stream?.readyState === EventSource.CLOSED) timer = setTimeout(open, TRY_AGAIN_MS);
    });
  };
  liveness.value = 'polling';
  open();
  return () => {
    clearTimeout(timer);
    stream?.close();
  };
}

function tell(data: string): void {
  let hint: ChangeHint;
  try {
    hint = JSON.parse(data) as ChangeHint;
  } catch {
    return; // A newer server's hint: the next look finds what it meant.
  }
  for (const listener of listeners) listener(hint);
}
