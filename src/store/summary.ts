import { type Agenda, applyToAgenda, EMPTY_AGENDA, type UnfinishedTurn } from '../conversation/Agenda.js';
import { TITLE_BYTES } from '../conversation/describeRenaming.js';
import { askedFor, type LeftAs, leftAs } from '../conversation/questions.js';
import { addToSpending, NOTHING_SPENT, type Spending } from '../conversation/usage.js';
import { readTyped, stripMarkers } from '../markers/markers.js';
import type { ConversationFact, MemberSummary, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationId, TurnId } from '../models/ids.js';
import { truncateToBytes } from '../utils/bytes.js';
import type { ProcessIdentity } from '../utils/processIdentity.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';

/** A conversation in a list. */
export interface ConversationSummary extends Described, Pick<Agenda, 'pause'> {
  readonly id: ConversationId;
  /** Folder on this machine that it is held in; absent when none was given. */
  readonly folder?: string;
  readonly state: SessionState;
  /** The process that has it open, be it this one. */
  readonly holder?: ShownHolder;
  readonly queued: number;
  readonly running: readonly TurnId[];
  /** Ended without an answer since a person last spoke, and not asked for again. */
  readonly unfinished: readonly (Pick<UnfinishedTurn, 'kind'> & { readonly turnId: TurnId })[];
  /** Names of the people an agent has asked for by name, and who have not answered. */
  readonly awaited: readonly string[];
}

/** A process that has a conversation open, as lists show it. */
interface ShownHolder extends Pick<ProcessIdentity, 'pid' | 'host'> {
  /** Its login at a store that many machines share. */
  readonly role?: string;
}

export type SessionState =
  | LeftAs
  /** A process has it open. */
  | 'open'
  /** Nothing was ever said. */
  | 'empty'
  /** Its entry is not as it was written, so nothing else here is known. */
  | 'damaged';

/** The facts of a conversation that a list shows alongside its agenda. */
interface Described {
  /** The name a person gave it, else the first words without markers; on one line, empty before them. */
  readonly title: string;
  readonly teamName: string;
  readonly members: readonly Pick<MemberSummary, 'id' | 'name'>[];
  readonly isRehearsal: boolean;
  /** The conversation that it is a fork of. */
  readonly forkedFrom?: ConversationId | undefined;
  /** The conversation or recording whose questions it asks again. */
  readonly replayOf?: string;
  readonly messages: number;
  readonly turns: number;
  /** Tokens and money of all turns; absent in a conversation that a Huddle began which did not count them here. */
  readonly usage?: Spending | undefined;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly changedAt: number;
}

/** Summary that a store updates while a conversation is written. */
export interface ConversationTally extends Described {
  readonly agenda: Agenda;
  /** The name a person gave it, which is shown in place of `title`. */
  readonly name?: string | undefined;
}

export const EMPTY_TALLY: ConversationTally = {
  title: '',
  teamName: '',
  members: [],
  isRehearsal: false,
  messages: 0,
  turns: 0,
  usage: NOTHING_SPENT,
  startedAt: 0,
  changedAt: 0,
  agenda: EMPTY_AGENDA,
};

export function countEvent(tally: ConversationTally, event: RecordedEvent): ConversationTally {
  return {
    ...tally,
    ...describe(tally, event),
    ...(event.type === 'title-changed' && {
      name: event.title === null ? undefined : sessionTitle(event.title),
    }),
    startedAt: tally.startedAt === 0 ? event.at : tally.startedAt,
    changedAt: laterThan(tally.changedAt, event.at),
    agenda: applyToAgenda(tally.agenda, event),
  };
}

/** The time of the latest event, in epoch milliseconds: it never goes back, even if the clock was set back. */
function laterThan(before: number, at: number): number {
  return at < before ? before + 1 : at;
}

function describe(
  { messages, title, turns, usage }: ConversationTally,
  fact: ConversationFact,
): Partial<Described> {
  switch (fact.type) {
    case 'conversation-start': {
      const { team, isRehearsal, replayOf } = fact;
      return {
        teamName: team.name,
        members: team.members.map(({ id, name }) => ({ id, name })),
        isRehearsal,
        replayOf,
      };
    }
    case 'conversation-forked':
      return { forkedFrom: fact.from };
    case 'message-added':
      return { messages: messages + 1, title: title === '' ? firstWords(fact.message.content) : title };
    case 'turn-start':
      return { turns: turns + 1 };
    case 'turn-end':
      return { usage: usage && fact.usage ? addToSpending(usage, fact.usage) : usage };
    default:
      return {};
  }
}

/** A title as a person gave it, for a list: on one line. */
export function sessionTitle(name: string): string {
  return truncateToBytes(sanitizeToOneLine(name.slice(0, TITLE_BYTES * 4)), TITLE_BYTES);
}

/** A marker that lost its end where its text was cut off. */
const CUT_MARKER = /[[［【](?:NEXT|FROM|TEAM_TASK)[:：][^\]］】]*$/iu;

/** A title from what was said: its beginning without markers, on one line; empty if there are only markers. */
export function firstWords(content: string): string {
  const beginning = readTyped(content.slice(0, TITLE_BYTES * 4), 'human');
  return sessionTitle(stripMarkers(beginning, { teamTask: 'marker' }).replace(CUT_MARKER, '').trim());
}

/** The facts of a conversation that a store keeps alongside its events. */
interface KeptConversation {
  readonly id: ConversationId;
  readonly folder?: string | undefined;
  readonly tally: ConversationTally;
}

/** The conversation for a list; `known` is what its tally cannot say: it is damaged, or a process has it open. */
export function summarize(
  { id, folder, tally }: KeptConversation,
  known?: 'damaged' | ShownHolder,
): ConversationSummary {
  const { agenda, name, startedAt, changedAt, ...described } = tally;
  const nameOf = (memberId: string) => tally.members.find((member) => member.id === memberId)?.name;
  return {
    id,
    folder,
    ...stateWith(tally, known),
    ...described,
    // An earlier version kept the markers of the first message.
    title: name ?? firstWords(described.title),
    queued: agenda.queue.length,
    running: agenda.running.map(({ turnId }) => turnId),
    unfinished: agenda.unfinished.map(({ turn: { turnId }, kind }) => ({ turnId, kind })),
    pause: agenda.pause,
    awaited: askedFor(agenda).map((memberId) => nameOf(memberId) ?? memberId),
    startedAt,
    changedAt,
  };
}

function stateWith(
  tally: ConversationTally,
  known: 'damaged' | ShownHolder | undefined,
): Pick<ConversationSummary, 'state' | 'holder'> {
  if (known === undefined) return { state: stateOf(tally) };
  if (known === 'damaged') return { state: known };
  const { pid, host, role } = known;
  return { state: 'open', holder: { pid, host, role } };
}

function stateOf({ agenda, messages }: ConversationTally): SessionState {
  const left = leftAs(agenda);
  return left === 'done' && messages === 0 ? 'empty' : left;
}
