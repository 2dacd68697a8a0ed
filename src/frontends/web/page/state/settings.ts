import { effect, type Signal, signal } from '@preact/signals';
import { LANGUAGES, type Language } from '../../../../models/Language.js';
import { loadLanguage, pickLanguage } from './language.js';

/** Choices of this browser: kept in it, and off or automatic until they are made. */
export const theme = keptSetting('theme', ['auto', 'light', 'dark']);
export const notices = keptSetting('notices', ['off', 'on']);
export const sound = keptSetting('sound', ['off', 'on']);

export type ThemeName = typeof theme extends Signal<infer Name> ? Name : never;

/** A choice by its names; the first is the one that holds until another is made. */
function keptSetting<const Name extends string>(
  key: string,
  names: readonly [Name, ...Name[]],
): Signal<Name> {
  const stored = `huddle-${key}`;
  const known = localStorage.getItem(stored);
  const setting = signal<Name>(names.find((name) => name === known) ?? names[0]);
  setting.subscribe((name) => {
    if (name === names[0]) localStorage.removeItem(stored);
    else localStorage.setItem(stored, name);
  });
  return setting;
}

/** Paints the page in the chosen colours from now on. */
export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
  });
}

const wanted = keptSetting('language', ['auto', ...LANGUAGES]);

/** Speaks the language that was chosen here, else the first of the browser's that is known. */
export async function startLanguage(): Promise<void> {
  await show(wanted.value === 'auto' ? pickLanguage(navigator.languages) : wanted.value);
}

/** Speaks another language from now on, also after a reload. */
export async function switchLanguage(chosen: Language): Promise<void> {
  await show(chosen);
  wanted.value = chosen;
}

async function show(chosen: Language): Promise<void> {
  await loadLanguage(chosen);
  document.documentElement.lang = chosen;
}
