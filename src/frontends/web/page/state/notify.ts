import { effect } from '@preact/signals';
import { summarizeRequest } from '../../../../catalogue/permissionRequests.js';
import { words } from '../../../../catalogue/words.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { formatPlace, go } from './place.js';
import { isHeldElsewhere, type SessionRequest, sessionRequests } from './sessions.js';
import { notices, sound } from './settings.js';

/** Tells people who look elsewhere that somebody waits, in the ways they switched on. */
export function runNotices(): void {
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
