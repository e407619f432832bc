import { signal } from '@preact/signals';

/** Whether somebody can see this page. Nothing is asked of the server while nobody can. */
export const isVisible = signal(document.visibilityState === 'visible');

document.addEventListener('visibilitychange', () => {
  isVisible.value = document.visibilityState === 'visible';
});
