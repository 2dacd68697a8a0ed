import { unsentText } from './drafts.js';

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
