import { type Signal, signal } from '@preact/signals';

const PREFIX = 'huddle-as-';
const speakers = new Map<string, Signal<string | undefined>>();

/** The person of the team that this browser speaks as in a session; absent: the first of the team. */
export function speakerOf(sessionId: string): Signal<string | undefined> {
  const known = speakers.get(sessionId);
  if (known !== undefined) return known;
  const speaker = signal(localStorage.getItem(PREFIX + sessionId) ?? undefined);
  speaker.subscribe((name) => {
    if (name !== undefined) localStorage.setItem(PREFIX + sessionId, name);
  });
  speakers.set(sessionId, speaker);
  return speaker;
}
