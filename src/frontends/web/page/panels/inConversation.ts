import { formatPlace, go } from '../state/place.js';

/** Does something in the conversation. A panel that covers it, as on a narrow screen, is closed first. */
export function inConversation(conversation: string, act: () => void): void {
  const isCovered = document.querySelector('main.conversation')?.checkVisibility() !== true;
  if (!isCovered) {
    act();
    return;
  }
  go(formatPlace({ conversation }));
  // What is not shown yet takes no focus, and does not scroll.
  requestAnimationFrame(() => requestAnimationFrame(act));
}
