import { type Signal, signal } from '@preact/signals';

/** The id of the field that messages are typed in. */
export const COMPOSER_ID = 'composer';

/** The id of the request on the screen; it takes the focus only when somebody goes there. */
export const REQUEST_ID = 'open-request';

/** Puts a member's name before the unsent text of a session, and goes there. */
export function addressMember(sessionId: string, name: string): void {
  const draft = unsentText(sessionId);
  const mention = `@${name} `;
  if (!draft.value.startsWith(mention)) draft.value = mention + draft.value;
  focusComposer();
}

/** Goes to the field for messages; where there is none, to the conversation itself. */
export function focusComposer(): void {
  const field = document.getElementById(COMPOSER_ID) ?? document.querySelector<HTMLElement>('main');
  field?.focus();
}

/** Whether the focus is nowhere: what had it is gone. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

const DRAFT = 'huddle-draft-';
const drafts = new Map<string, Signal<string>>();

/** The unsent text of a session, kept in the browser until it is sent. */
export function unsentText(sessionId: string): Signal<string> {
  const known = drafts.get(sessionId);
  if (known !== undefined) return known;
  const draft = signal(localStorage.getItem(DRAFT + sessionId) ?? '');
  drafts.set(sessionId, draft);
  draft.subscribe((text) => keep(DRAFT + sessionId, text));
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

const SPEAKER = 'huddle-as-';
const speakers = new Map<string, Signal<string | undefined>>();

/** The person of the team that this browser speaks as in a session; absent: the first of the team. */
export function speakerOf(sessionId: string): Signal<string | undefined> {
  const known = speakers.get(sessionId);
  if (known !== undefined) return known;
  const speaker = signal(localStorage.getItem(SPEAKER + sessionId) ?? undefined);
  speaker.subscribe((name) => {
    if (name !== undefined) localStorage.setItem(SPEAKER + sessionId, name);
  });
  speakers.set(sessionId, speaker);
  return speaker;
}
