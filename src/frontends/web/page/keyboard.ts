import { focusComposer, REQUEST_ID } from './state/composing.js';
import { isFinding } from './state/finding.js';
import { formatPlace, go, place } from './state/place.js';
import { isHeldElsewhere, sessionRequests } from './state/sessions.js';

/** Parts of the page that F6 goes round, in this order, by their `data-region`. */
const REGIONS = ['header', 'log', 'composer', 'panel', 'sessions'];

/** Listens to the keys that hold on the whole page. Keys that a part of the page has used are passed over. */
export function listenToKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (actOn(event)) event.preventDefault();
  });
}

function actOn(event: KeyboardEvent): boolean {
  const { key } = event;
  if (key === 'F6') return goRound(event.shiftKey ? -1 : 1);
  if (key === 'F8') return goToRequest();
  if (key === 'Escape') return closeWhatIsOpen();
  if (key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey)
    return openFind();
  return false;
}

function goRound(step: 1 | -1): boolean {
  const regions = REGIONS.flatMap(
    (name) => document.querySelector<HTMLElement>(`[data-region="${name}"]`) ?? [],
  ).filter((region) => region.checkVisibility());
  const now = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions.at(now === -1 ? (step === 1 ? 0 : -1) : (now + step) % regions.length);
  const inside = next?.querySelector<HTMLElement>('[data-entry], [role="log"]') ?? next;
  inside?.focus();
  return next !== undefined;
}

function goToRequest(): boolean {
  const shown = document.getElementById(REQUEST_ID);
  if (shown !== null) {
    shown.focus();
    return true;
  }
  const waiting = sessionRequests.value.find((each) => !isHeldElsewhere(each));
  if (waiting === undefined) return false;
  go(formatPlace({ conversation: waiting.session.id }));
  return true;
}

function closeWhatIsOpen(): boolean {
  const { conversation, panel } = place.value;
  if (isFinding.value) {
    isFinding.value = false;
    focusComposer();
    return true;
  }
  if (conversation === undefined || panel === undefined) return false;
  go(formatPlace({ conversation }));
  focusComposer();
  return true;
}

function openFind(): boolean {
  const { conversation } = place.value;
  if (conversation === undefined) return false;
  // A panel that is all of a narrow page makes room: what is found is shown in the messages.
  const isCovered = document.querySelector('main.conversation')?.checkVisibility() !== true;
  if (isCovered) go(formatPlace({ conversation }));
  isFinding.value = true;
  // It may be open already, with the focus elsewhere; what was covered is in view after the page is made again.
  queueMicrotask(() => document.querySelector<HTMLElement>('[data-find] input')?.focus());
  return true;
}
