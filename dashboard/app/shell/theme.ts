// The theme: light, dark, or the system's. The browser stores the choice.

import { signal } from '@preact/signals';
import type { MessageName } from '../../messages/en.ts';

const names = ['system', 'light', 'dark'] as const;
type Theme = (typeof names)[number];

const key = 'keywright.theme';
const stored = localStorage.getItem(key);
export const theme = signal<Theme>(names.find((name) => name === stored) ?? 'system');

export const themeText: Readonly<Record<Theme, MessageName>> = {
  system: 'shell.themeSystem',
  light: 'shell.themeLight',
  dark: 'shell.themeDark',
};

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme.value;
}

export function nextTheme(): void {
  const next = names[(names.indexOf(theme.value) + 1) % names.length] ?? 'system';
  theme.value = next;
  localStorage.setItem(key, next);
  applyTheme();
}
