import { createHash } from 'node:crypto';
import { parseMessage } from '../../markers/parseMessage.js';
import type {
  MessageAdded,
  PermissionDecided,
  QueuedTurn,
  RecordedEvent,
  TurnEnd,
} from '../../models/ConversationEvent.js';
import type { MessageSource } from '../../models/ConversationMessage.js';

/** Facts about a conversation and one event by which its writer is believed or not. */
export interface Ground {
  /** The role whose process wrote the event. */
  readonly writtenBy: string;
  readonly people: People;
  /** The command that was taken with this event. */
  readonly command: TakenCommand | undefined;
  /** The turn with this id, if it started before or with this event: an id starts once. */
  readonly turnOf: (turnId: string) => StartedTurn | undefined;
  /** The answer that a worker reported as the end of a turn; `any`: it was taken before answers were noted. */
  readonly answerOf: (turnId: string) => ReportedAnswer | 'any' | undefined;
  /** The event before, as it counts. */
  readonly before: RecordedEvent | undefined;
}

/** The role that began a conversation, and those of the people who were in its team then. */
export interface People {
  readonly creator: string;
  readonly roles: ReadonlySet<string>;
  /** The role of a person; someone who came to the team later has the one of their name. */
  readonly roleOf: (memberId: string) => string;
}

export interface TakenCommand {
  readonly role: string;
  readonly kind: string;
  /** Hash of its body, in hexadecimal. */
  readonly sha256: string;
}

export interface StartedTurn {
  readonly seq: number;
  readonly startedBy: string;
  readonly memberId: string | undefined;
  /** The role of the worker that was asked for it. */
  readonly runsOn: string | undefined;
}

export interface ReportedAnswer {
  readonly role: string;
  /** As `hashAnswer` makes it. */
  readonly sha256: string;
}

type Proofs = {
  readonly [Type in RecordedEvent['type']]: (
    event: Extract<RecordedEvent, { type: Type }>,
    ground: Ground,
  ) => boolean;
};

/**
 * Conditions for an event to count, by its type, besides that its writer began the conversation or is a person of its team:
 * nobody else can have held it. A type that is new gets its row here. `docs/machines.md` has the same table for people.
 */
const PROOFS: Proofs = {
  'conversation-start': isBeginning,
  'conversation-forked': isOfCreator,
  'message-added': isSaid,
  'task-changed': ({ task, seq }, { before, ...ground }) =>
    before?.type === 'conversation-start' ? seq === 2 && isOfCreator(task, ground) : setsTask(before, task),
  'title-changed': isOfHolder,
  'profile-changed': isOfHolder,
  'turns-queued': isOfHolder,
  'turns-dropped': isOfHolder,
  'turn-start': ({ turnId, seq }, { turnOf }) => turnOf(turnId)?.seq === seq,
  'turn-activity': isOfOwnTurn,
  'permission-decided': (event, ground) => isOfOwnTurn(event, ground) && isDecided(event, ground),
  'turn-end': (event, ground) => isPossible(event) && isOwnEnd(event, ground),
  'files-recorded': ({ by }, { people, writtenBy }) =>
    !('memberId' in by) || people.roleOf(by.memberId) === writtenBy,
  'waiting-for-human': isOfHolder,
  'conversation-pause': isOfHolder,
  'conversation-resume': isOfHolder,
  notice: ({ code }) => code !== 'unproven-speaker' && code !== 'left-out',
};

/** Whether an event counts, as far as its writer can say it. */
export function isProven(event: RecordedEvent, ground: Ground): boolean {
  if (!mayHold(ground.people, ground.writtenBy)) return false;
  // Of a later version, and so by our own role: what others write was checked before.
  if (!Object.hasOwn(PROOFS, event.type)) return true;
  // The row of the type takes events of that type.
  return (PROOFS[event.type] as (event: RecordedEvent, ground: Ground) => boolean)(event, ground);
}

/** Whether a role can have held a conversation: it began it, or is a person of its team. */
export function mayHold({ creator, roles }: People, role: string): boolean {
  return role === creator || roles.has(role);
}

/** The role on whose machine an answer was made, where that is not the one who began the conversation. */
export function machineOf({ turnId }: MessageAdded, { turnOf, people }: Ground): string | undefined {
  const turn = turnId === undefined ? undefined : turnOf(turnId);
  if (turn === undefined || turn.startedBy === people.creator) return undefined;
  return turn.runsOn ?? turn.startedBy;
}

/** The body of a command to say something. */
export function formatSaid(content: string, via?: MessageSource): string {
  return JSON.stringify({ content, via });
}

/** The body of a command to decide a permission request. */
export function formatDecided(requestId: string, verdict: 'allow' | 'deny'): string {
  return JSON.stringify({ requestId, verdict });
}

/** The hash by which an answer is known again; halves of characters are told apart. */
export function hashAnswer(content: string): string {
  return hash(JSON.stringify(content));
}

/** Any role that may hold a conversation decides what is queued, started and stopped in it. */
function isOfHolder(): boolean {
  return true;
}

function isOfCreator(_: unknown, { people, writtenBy }: Pick<Ground, 'people' | 'writtenBy'>): boolean {
  return people.creator === writtenBy;
}

function isBeginning({ seq }: RecordedEvent, ground: Ground): boolean {
  return seq === 1 && isOfCreator(undefined, ground);
}

/** A person says it, a program that a person of the team lets in, or an agent. */
function isSaid(event: MessageAdded, ground: Ground): boolean {
  const { roleId, type } = event.message.speaker;
  const { people } = ground;
  if (type === 'ai') return isAnswer(event, ground);
  const isTheirs = type === 'human' ? event.by === people.roleOf(roleId) : people.roles.has(event.by ?? '');
  return isTheirs && isSpoken(event, ground);
}

/** The role itself wrote it, or asked for it with the same words. */
function isSpoken({ by, message }: MessageAdded, { writtenBy, command }: Ground): boolean {
  return by === writtenBy || isAsked(command, 'say', by, formatSaid(message.content, message.via));
}

function isAsked(
  command: TakenCommand | undefined,
  kind: 'say' | 'decide',
  role: string | undefined,
  body: string,
): boolean {
  if (command === undefined || command.kind !== kind || command.role !== role) return false;
  return command.sha256 === hash(body);
}

/** An answer is of the member whose turn it was: of a worker as that reported it, else of the machine where the turn ran. */
function isAnswer({ message, turnId }: MessageAdded, { writtenBy, turnOf, answerOf }: Ground): boolean {
  const turn = turnId === undefined ? undefined : turnOf(turnId);
  if (turnId === undefined || turn === undefined || turn.memberId !== message.speaker.roleId) return false;
  if (turn.runsOn === undefined) return turn.startedBy === writtenBy;
  const answer = answerOf(turnId);
  if (answer === undefined || answer === 'any') return answer === 'any';
  return answer.role === turn.runsOn && answer.sha256 === hashAnswer(message.content);
}

/** A turn is told by the process that started it; one that runs on a worker also by the next holder. */
function isOfOwnTurn(
  { turnId, memberId }: Pick<QueuedTurn, 'turnId' | 'memberId'>,
  { writtenBy, turnOf }: Ground,
): boolean {
  const turn = turnOf(turnId);
  if (turn === undefined || turn.memberId !== memberId) return false;
  return turn.startedBy === writtenBy || turn.runsOn !== undefined;
}

/** The next holder also ends a turn that was left running; and one that never started has no answer, and cost nothing. */
function isOwnEnd(event: TurnEnd, ground: Ground): boolean {
  const { result, usage, turnId } = event;
  if (isOfOwnTurn(event, ground)) return true;
  if (result.kind === 'completed' || usage !== undefined) return false;
  return result.kind === 'interrupted' || ground.turnOf(turnId) === undefined;
}

/** Figures count towards limits, so none can be taken off. */
function isPossible({ milliseconds, usage }: TurnEnd): boolean {
  const { price: _, sessionTotals, ...figures } = usage ?? {};
  const all = [milliseconds, ...Object.values(figures), ...Object.values(sessionTotals ?? {})];
  return all.every((figure) => typeof figure !== 'number' || figure >= 0);
}

/** A person's decision is theirs as their messages are. */
function isDecided({ by, requestId, decision }: PermissionDecided, ground: Ground): boolean {
  if (by.kind !== 'person') return true;
  const role = ground.people.roleOf(by.memberId);
  if (role === ground.writtenBy) return true;
  return isAsked(
    ground.command,
    'decide',
    role,
    formatDecided(requestId, decision === 'allowed' ? 'allow' : 'deny'),
  );
}

/** A task follows from the message of a person that sets it, which stands right before it. */
function setsTask(before: RecordedEvent | undefined, task: string | null): boolean {
  if (before?.type !== 'message-added' || before.message.speaker.type !== 'human') return false;
  return parseMessage(before.message.content, 'human', []).teamTask === task;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
