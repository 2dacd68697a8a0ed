import { signal } from '@preact/signals';
import { RefusedRequest } from '../api.js';
import { pageWords as words } from './language.js';

/** The last thing that went wrong, in words; read out at once. */
export const alert = signal<string | undefined>(undefined);

/** The last thing that happened, for those who listen instead of looking. */
export const announcement = signal('');

/** Shows what went wrong. Other faults than refusals are ours and stay for the console. */
export function complain(error: unknown): void {
  alert.value = explainRefusal(error);
  if (!(error instanceof RefusedRequest)) reportError(error);
}

/** An error in words: by its code in the language of the page, else as the server says it. */
export function explainRefusal(error: unknown): string {
  if (!(error instanceof RefusedRequest)) return words.web.bug(String(error));
  const known: Readonly<Record<string, string>> = words.web.refusals;
  const { code, message, hint = '' } = error;
  return (Object.hasOwn(known, code) ? (known[code] ?? message) : `${message} ${hint}`).trim();
}
