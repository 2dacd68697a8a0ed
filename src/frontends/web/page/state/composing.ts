import { draftOf } from './drafts.js';

/** The id of the field that messages are typed in. */
export const COMPOSER_ID = 'composer';

/** Puts a member's name before the unsent text of a session, and goes there. */
export function askMember(sessionId: string, name: string): void {
  const draft = draftOf(sessionId);
  const mention = `@${name} `;
  if (!draft.value.startsWith(mention)) draft.value = mention + draft.value;
  focusComposer();
}

let isAwaited = false;

/** The next field for messages that appears is where people go on: they have just begun a conversation. */
export function awaitComposer(): void {
  isAwaited = true;
}

/** Goes to a field that has appeared, if it is waited for. */
export function greetComposer(field: HTMLElement | null): void {
  if (isAwaited) field?.focus();
  isAwaited = false;
}

/** Goes to the field for messages; where there is none, to the conversation itself. */
export function focusComposer(): void {
  const field = document.getElementById(COMPOSER_ID) ?? document.querySelector<HTMLElement>('main');
  field?.focus();
}
