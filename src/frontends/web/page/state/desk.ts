import { batch, effect, signal, untracked } from '@preact/signals';
import type { RecordedEvent } from '../../../../models/ConversationEvent.js';
import { addressOf, call, isLockedOut, ownHeaders, RefusedRequest } from '../api.js';
import type { Following, StreamFrame, StreamState } from '../follow.js';
import { access } from './access.js';
import { OpenConversation } from './OpenConversation.js';
import { place } from './place.js';
import { applySessions, isHeldElsewhere, loadSessions, sessionRequests } from './sessions.js';

/** The conversation of the address: on its way, here, or refused. */
type Desk =
  | { readonly kind: 'empty' }
  | { readonly kind: 'loading'; readonly id: string }
  | { readonly kind: 'open'; readonly id: string; readonly conversation: OpenConversation }
  | { readonly kind: 'refused'; readonly id: string; readonly refusal: RefusedRequest };

export const desk = signal<Desk>({ kind: 'empty' });

export const streamState = signal<StreamState>({ kind: 'connecting' });

let following: Following | undefined;
/** The conversation whose stream is wanted. */
let followed: OpenConversation | undefined;
let wasLive = false;

/** Shows the conversation that the address names, and follows the stream, from now on. */
export function runDesk(): void {
  effect(() => {
    const { conversation } = place.value;
    if (access.value === 'in') untracked(() => void openDesk(conversation));
  });
  const hurry = () => document.visibilityState === 'visible' && following?.hurry();
  document.addEventListener('visibilitychange', hurry);
  addEventListener('online', hurry);
}

/** Follows the stream in this tab again, after another one took over. */
export function continueHere(): void {
  const { value } = desk;
  void (value.kind === 'empty' ? openDesk(undefined) : openDesk(value.id, { again: true }));
}

async function openDesk(id: string | undefined, { again = false } = {}): Promise<void> {
  const { value } = desk;
  if (id === undefined) {
    desk.value = { kind: 'empty' };
    return await followStream(undefined);
  }
  if (value.kind !== 'empty' && value.id === id && !again) return;
  // What is on the screen stays until the new state of the same conversation has come.
  if (value.kind !== 'open' || value.id !== id) desk.value = { kind: 'loading', id };
  try {
    const first = await call('show', { params: { id } });
    if (place.value.conversation !== id) return;
    const conversation = new OpenConversation(first, (before, limit) =>
      call('older', { params: { id }, query: { before, limit } }),
    );
    desk.value = { kind: 'open', id, conversation };
    await followStream(conversation);
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    if (place.value.conversation !== id) return;
    desk.value = { kind: 'refused', id, refusal: error };
    await followStream(undefined);
  }
}

/** Follows the stream of a place, the only one of this tab. What reads it is loaded when something is on the screen. */
async function followStream(conversation: OpenConversation | undefined): Promise<void> {
  following?.stop();
  following = undefined;
  followed = conversation;
  const [{ follow }, { announceEvents }] = await Promise.all([
    import('../follow.js'),
    import('../follow.js'),
  ]);
  if (followed !== conversation || following !== undefined) return;
  following = follow({
    address: () => addressOf('stream', { query: { conversation: conversation?.id } }),
    headers: () => ({
      ...ownHeaders(),
      ...(conversation && { 'last-event-id': String(conversation.seq) }),
    }),
    onFrames: (frames) => batch(() => applyFrames(conversation, frames, announceEvents)),
    onState: (state) => takeState(state, conversation),
  });
}

function takeState(state: StreamState, conversation: OpenConversation | undefined): void {
  // A change of place is no interruption: words about the connection would only flicker.
  if (state.kind === 'connecting' && wasLive) return;
  if (state.kind === 'refused' && state.refusal.code === 'RELOAD' && conversation !== undefined)
    return void openDesk(conversation.id, { again: true });
  if (state.kind === 'live' && streamState.value.kind !== 'live') void loadSessions();
  if (state.kind === 'live') wasLive = true;
  if (state.kind === 'refused' && state.refusal.code === 'NOT_LOGGED_IN') isLockedOut.value = true;
  streamState.value = state;
}

type Announce = (conversation: OpenConversation, events: readonly RecordedEvent[]) => void;

function applyFrames(
  conversation: OpenConversation | undefined,
  frames: readonly StreamFrame[],
  announce: Announce,
): void {
  let events: RecordedEvent[] = [];
  const tellEvents = () => {
    conversation?.tell(events);
    if (conversation !== undefined) announce(conversation, events);
    events = [];
  };
  for (const frame of frames) {
    if (frame.name === 'recorded') {
      events.push(frame.data);
      continue;
    }
    tellEvents();
    if (frame.name === 'live') conversation?.setRunning(frame.data);
    if (frame.name === 'progress') conversation?.progress(frame.data);
    if (frame.name === 'files-progress') conversation?.lookAtFiles(frame.data);
    if (frame.name === 'sessions') {
      applySessions(frame.data);
      if (frame.data.deleted.some((id) => id === conversation?.id)) clearDesk(conversation?.id ?? '');
      const summary = frame.data.changed.find(({ id }) => id === conversation?.id);
      if (summary !== undefined) conversation?.setSummary(summary);
    }
  }
  tellEvents();
}

/** The conversation on the screen was deleted elsewhere. */
function clearDesk(id: string): void {
  desk.value = {
    kind: 'refused',
    id,
    refusal: new RefusedRequest({ code: 'UNKNOWN_CONVERSATION', message: id }),
  };
  void followStream(undefined);
}

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

/** `(2) Refuse large uploads · Huddle`. */
export function formatTitle(waiting: number, conversation: string): string {
  const name = conversation === '' ? 'Huddle' : `${conversation} · Huddle`;
  return waiting === 0 ? name : `(${waiting}) ${name}`;
}
