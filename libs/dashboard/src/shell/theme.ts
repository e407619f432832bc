import { effect, signal } from '@preact/signals';
import { store, stored } from './preferences.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const theme = signal<Theme>(stored('theme', THEMES, 'system'));

export function chooseTheme(choice: Theme): void {
  theme.value = choice;
  store('theme', choice);
}

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});
