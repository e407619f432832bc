import { signal } from '@preact/signals';
import type { JSX } from 'preact';

const SHOWN_FOR_MS = 6_000;
const message = signal('');
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says what was done, also to those who cannot see the page. */
export function announce(text: string): void {
  clearTimeout(timer);
  message.value = text;
  timer = setTimeout(() => (message.value = ''), SHOWN_FOR_MS);
}

/** Where announcements appear: once in the page, always there. */
export const Announcements = (): JSX.Element => (
  <div class={message.value === '' ? 'announcement' : 'announcement is-shown'} role="status">
    {message.value}
  </div>
);
