import { effect, signal } from '@preact/signals';
import type { Session } from './answers.js';
import { readAnswer } from './client.js';
import { isVisible } from './presence.js';

export const session = signal<Session | null>(null);

/** Buttons that change something are there only for those who may press them. The server decides all the same. */
export const mayOperate = (): boolean => session.value?.permissions.includes('operate') ?? false;

/** Asks anew each time somebody comes back to the page: people sign in and out elsewhere. */
export function followSession(): void {
  effect(() => {
    if (isVisible.value) void ask();
  });
}

/** What cannot be asked stays unknown: then the page only shows. */
async function ask(): Promise<void> {
  session.value = await readAnswer<Session>('/session').then(
    ({ body }) => body,
    () => null,
  );
}
