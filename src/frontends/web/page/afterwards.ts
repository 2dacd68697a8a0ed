import { effect } from '@preact/signals';
import { summarizeRequest } from '../../../catalogue/permissionRequests.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { complain } from './state/alerts.js';
import { runClock } from './state/clock.js';
import { focusComposer, REQUEST_ID } from './state/composing.js';
import { pageWords as words } from './state/language.js';
import { formatPlace, go, isFinding, place } from './state/place.js';
import { isHeldElsewhere, type SessionRequest, sessionRequests } from './state/sessions.js';
import { notices, sound } from './state/settings.js';

/** Starts all that can wait until something is on the screen: keys of the whole page, notices, clock, words for faults. */
export function startTheRest(): void {
  listenToKeys();
  runNotices();
  runClock();
  addEventListener('unhandledrejection', ({ reason }) => complain(reason));
}

/** Parts of the page that F6 goes round, in this order, by their `data-region`. */
const REGIONS = ['header', 'log', 'composer', 'panel', 'sessions'];

/** Listens to the keys that hold on the whole page. Keys that a part of the page has used are passed over. */
function listenToKeys(): void {
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

/** Tells people who look elsewhere that somebody waits, in the ways they switched on. */
function runNotices(): void {
  let known: ReadonlySet<string> | undefined;
  effect(() => {
    const waiting = sessionRequests.value.filter((each) => !isHeldElsewhere(each));
    const fresh = known === undefined ? [] : waiting.filter((each) => !known?.has(keyOf(each)));
    known = new Set(waiting.map(keyOf));
    if (fresh.length === 0 || document.visibilityState === 'visible') return;
    if (sound.value === 'on') playTone();
    if (notices.value === 'on') for (const each of fresh) notify(each);
  });
}

/** Switches system notices on, if the browser lets us. Resolves with whether it does. */
export async function askForNotices(): Promise<boolean> {
  return 'Notification' in window && (await Notification.requestPermission()) === 'granted';
}

function notify({ session, request }: SessionRequest): void {
  if (Notification.permission !== 'granted') return;
  const body = sanitizeToOneLine(summarizeRequest(request)).slice(0, 200);
  const notice = new Notification(words.web.needsApproval(request.memberName), {
    body,
    tag: request.requestId,
  });
  notice.onclick = () => {
    window.focus();
    go(formatPlace({ conversation: session.id }));
    notice.close();
  };
}

/** Two short soft notes. */
function playTone(): void {
  const context = new AudioContext();
  for (const [index, frequency] of [660, 880].entries()) {
    const at = context.currentTime + index * 0.14;
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.08, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.12);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.13);
    tone.onended = () => index === 1 && void context.close();
  }
}

function keyOf({ session, request }: SessionRequest): string {
  return `${session.id} ${request.requestId}`;
}
