import { onTestFinished } from 'vitest';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import {
  type ConversationOptions,
  createConversation,
  resumeConversation,
} from '../../src/createConversation.js';
import type { ConversationEvent } from '../../src/models/ConversationEvent.js';
import type { ConversationId, MemberId } from '../../src/models/ids.js';
import type { HumanMember, Team } from '../../src/models/Team.js';
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/PostgresStore.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import type { TestPostgres } from '../postgres/TestPostgres.js';
import { agentNamed, teamOf } from '../store/stage.js';

/** A lease that is over soon, so that tests need not wait for a quarter of a minute. */
export const SHORT_LEASE = { lease: 3000, renewEvery: 400, stopAfter: 2200 };

export function person(name: string, parts: Partial<HumanMember> = {}): HumanMember {
  return { type: 'human', id: name as MemberId, name, ...parts };
}

/** A team of people and one agent, which is simulated. */
export function teamOfPeople(...people: readonly (string | HumanMember)[]): Team {
  const members = people.map((one) => (typeof one === 'string' ? person(one) : one));
  const max = agentNamed('max');
  return { ...teamOf([]), members: [...members, max] };
}

/** A process of a role at the table: its store, as if on a machine of its own. */
export async function sitDown(
  server: TestPostgres,
  role: string,
  options: Partial<PostgresStoreOptions> = {},
) {
  const store = await openPostgresStore({
    url: server.url(role),
    host: `${role}s-laptop`,
    leaseTimes: SHORT_LEASE,
    ...options,
  });
  onTestFinished(() => store.close());
  const settings = (team: Team, parts: Partial<ConversationOptions>): ConversationOptions => ({
    team,
    rehearsal: { stateFolder: makeTemporaryFolder() },
    interactive: true,
    ...parts,
  });
  return {
    store,
    create: async (team: Team, parts: Partial<ConversationOptions> = {}): Promise<Conversation> =>
      closing(await createConversation({ ...settings(team, parts), store })),
    open: async (
      id: ConversationId,
      team: Team,
      parts: Partial<ConversationOptions> & { takeOver?: boolean } = {},
    ): Promise<Conversation> =>
      closing(await resumeConversation({ ...settings(team, parts), store, id, takeOver: parts.takeOver })),
  };
}

function closing(conversation: Conversation): Conversation {
  onTestFinished(() => conversation.close());
  return conversation;
}

/** Every event that a handle tells, and a way to wait for one. */
export function listen(conversation: Conversation) {
  const events: ConversationEvent[] = [];
  const waiting: {
    readonly isIt: (event: ConversationEvent) => boolean;
    resolve(event: ConversationEvent): void;
  }[] = [];
  conversation.subscribe((event) => {
    events.push(event);
    for (const one of [...waiting])
      if (one.isIt(event)) {
        waiting.splice(waiting.indexOf(one), 1);
        one.resolve(event);
      }
  });
  return {
    events,
    said: () => events.flatMap((event) => (event.type === 'message-added' ? [event.message.content] : [])),
    until: (isIt: (event: ConversationEvent) => boolean): Promise<ConversationEvent> => {
      const found = events.find(isIt);
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve) => waiting.push({ isIt, resolve }));
    },
  };
}

/** Waits until the company of a conversation is so. */
export function untilCompany(conversation: Conversation, isSo: () => boolean): Promise<void> {
  if (isSo()) return Promise.resolve();
  return new Promise((resolve) => {
    const end = conversation.presence?.subscribe(() => {
      if (!isSo()) return;
      end?.();
      resolve();
    });
  });
}
