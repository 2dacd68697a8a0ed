import { type Signal, signal } from '@preact/signals';

const PREFIX = 'huddle-draft-';
const drafts = new Map<string, Signal<string>>();

/** The unsent text of a session, kept in the browser until it is sent. */
export function unsentText(sessionId: string): Signal<string> {
  const known = drafts.get(sessionId);
  if (known !== undefined) return known;
  const draft = signal(localStorage.getItem(PREFIX + sessionId) ?? '');
  drafts.set(sessionId, draft);
  draft.subscribe((text) => keep(PREFIX + sessionId, text));
  return draft;
}

/** Forgets the unsent text of a session that was deleted. */
export function dropUnsentText(sessionId: string): void {
  unsentText(sessionId).value = '';
  drafts.delete(sessionId);
}

function keep(key: string, text: string): void {
  try {
    if (text === '') localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // The browser has no room left: the text stays on the screen, and is lost with the tab.
  }
}
