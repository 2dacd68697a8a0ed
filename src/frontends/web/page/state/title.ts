import { effect } from '@preact/signals';
import { desk } from './desk.js';
import { formatTitle } from './formatTitle.js';
import { isHeldElsewhere, sessionRequests } from './sessions.js';

/** Shows in the title of the tab how many requests wait here, and which conversation is open. */
export function runTitle(): void {
  effect(() => {
    const { value } = desk;
    const title = value.kind === 'open' ? value.conversation.summary.value.title : '';
    document.title = formatTitle(
      sessionRequests.value.filter((each) => !isHeldElsewhere(each)).length,
      title,
    );
  });
}
