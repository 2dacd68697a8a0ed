import { batch, computed, signal } from '@preact/signals';
import { byNeed } from '../../folds.js';
import type { Frames, ListedConversation, OpenRequest } from '../../wire.js';
import { call, RefusedRequest } from '../api.js';

/** Sessions that are listed: those of this folder or all, by their words. */
export const scope = signal<'here' | 'all'>('here');
export const wantedText = signal('');
export const sessions = signal<readonly ListedConversation[]>([]);
export const hasMoreSessions = computed(() => next.value !== undefined);
/** The list has come at least once; before that its length is not known. */
export const hasSessions = signal(false);
export const sessionsRefusal = signal<RefusedRequest | undefined>(undefined);

const next = signal<number | undefined>(undefined);
let asked = new AbortController();

/** A permission request and the session it is open in. */
export interface SessionRequest {
  readonly session: ListedConversation;
  readonly request: OpenRequest;
}

/** Open requests of all listed sessions, those that can be answered here first. */
export const sessionRequests = computed<readonly SessionRequest[]>(() =>
  sessions.value
    .flatMap((session) => session.requests.map((request) => ({ session, request })))
    .toSorted((one, other) => Number(isHeldElsewhere(one)) - Number(isHeldElsewhere(other))),
);

export function isHeldElsewhere({ session }: Pick<SessionRequest, 'session'>): boolean {
  return session.openIn !== undefined;
}

/** Reads the list from its beginning. */
export async function loadSessions(): Promise<void> {
  const { signal: isOutdated } = startAsking();
  await receive(isOutdated, undefined, ({ conversations }) => conversations);
}

/** Reads the next page of the list. */
export async function loadMoreSessions(): Promise<void> {
  if (next.value === undefined) return;
  const { signal: isOutdated } = startAsking();
  await receive(isOutdated, next.value, ({ conversations }) => merge(sessions.value, conversations));
}

/** Takes over summaries that changed. With a text to find, only those that are listed: the server knows the others. */
export function applySessions({ changed, deleted }: Frames['sessions']): void {
  const isGone = new Set<string>(deleted);
  const listed = new Set<string>(sessions.value.map(({ id }) => id));
  const fits = (each: ListedConversation) =>
    listed.has(each.id) ||
    (wantedText.value === '' && each.messages > 0 && (scope.value === 'all' || each.isElsewhere !== true));
  const kept = sessions.value.filter(({ id }) => !isGone.has(id));
  sessions.value = merge(kept, changed.filter(fits)).toSorted(byNeed);
}

async function receive(
  isOutdated: AbortSignal,
  before: number | undefined,
  take: (page: { readonly conversations: readonly ListedConversation[] }) => readonly ListedConversation[],
): Promise<void> {
  const query = {
    scope: scope.value,
    text: wantedText.value || undefined,
    before,
  };
  try {
    const page = await call('list', { query, signal: isOutdated });
    batch(() => {
      sessions.value = take(page);
      next.value = page.next;
      hasSessions.value = true;
      sessionsRefusal.value = undefined;
    });
  } catch (error) {
    if (isOutdated.aborted) return;
    if (!(error instanceof RefusedRequest)) throw error;
    sessionsRefusal.value = error;
  }
}

function startAsking(): AbortController {
  asked.abort();
  asked = new AbortController();
  return asked;
}

/** Both lists as one; what is in both is taken from the second. */
function merge(
  known: readonly ListedConversation[],
  newer: readonly ListedConversation[],
): readonly ListedConversation[] {
  const changed = new Map(newer.map((each) => [each.id, each]));
  const kept = known.map((each) => changed.get(each.id) ?? each);
  const ids = new Set(known.map(({ id }) => id));
  return [...kept, ...newer.filter(({ id }) => !ids.has(id))];
}
