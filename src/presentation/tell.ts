import { applyFact } from '../conversation/ConversationState.js';
import { findRecentTurn } from '../conversation/turnIndex.js';
import { stripOuterMarkers } from '../markers/markers.js';
import type {
  ConversationEvent,
  FilesRecorded,
  MessageAdded,
  Notice,
  RecordedEvent,
  TurnEnd,
  TurnProgress,
} from '../models/ConversationEvent.js';
import type { ConversationMessage, SpeakerType } from '../models/ConversationMessage.js';
import type { TurnId } from '../models/ids.js';
import { findMember } from '../models/Team.js';
import { assertNever } from '../utils/assertNever.js';
import type { AuthorOrigin, FilesBlock, MessageBlock, TurnWithFiles } from './Block.js';
import { addPreview, endTurn } from './LiveTurn.js';
import {
  findTurn,
  memberOf,
  removeTurn,
  replaceTurn,
  type Step,
  showMembers,
  type Telling,
} from './Telling.js';
import { tellActivity, tellDecision, tellWork, turnOf } from './tellActivity.js';

/** Tells one more event. Pure: the same events always make the same blocks. */
export function tell(telling: Telling, event: ConversationEvent): Step {
  if (event.type === 'turn-progress') return tellProgress(telling, event);
  if (event.type === 'files-progress')
    return { telling: { ...telling, filesSeen: event.isDone ? null : event.files }, blocks: [] };
  return tellRecorded({ ...telling, conversation: applyFact(telling.conversation, event) }, event);
}

function tellRecorded(telling: Telling, event: RecordedEvent): Step {
  const { at } = event;
  switch (event.type) {
    case 'conversation-start': {
      const members = showMembers(event.team.members);
      return { telling: { ...telling, start: event, members }, blocks: [{ kind: 'start', members }] };
    }
    case 'message-added':
      return tellMessage(telling, event);
    case 'task-changed': {
      const { task } = event;
      return { telling: { ...telling, task }, blocks: [{ kind: 'task', at, task }] };
    }
    case 'turn-start':
      return { telling: { ...telling, turns: [...telling.turns, turnOf(telling, event, at)] }, blocks: [] };
    case 'turn-activity':
      return tellActivity(telling, event);
    case 'permission-decided':
      return tellDecision(telling, event);
    case 'turn-end':
      return tellEnd(telling, event, at);
    case 'notice':
      return tellNotice(telling, event, at);
    case 'conversation-forked':
      return { telling, blocks: [{ kind: 'fork', at, fork: event }] };
    case 'conversation-pause':
      return { telling, blocks: [{ kind: 'pause', at, reason: event.reason }] };
    case 'files-recorded':
      return { telling, blocks: tellRecord(telling, event) };
    case 'title-changed':
    case 'profile-changed':
    case 'turns-queued':
    case 'turns-dropped':
    case 'waiting-for-human':
    case 'conversation-resume':
      return { telling, blocks: [] };
    default:
      return assertNever(event);
  }
}

function tellProgress(telling: Telling, { turnId, event }: TurnProgress): Step {
  const turn = findTurn(telling, turnId);
  if (turn === undefined) return { telling, blocks: [] };
  switch (event.type) {
    case 'text-delta':
      return { telling: replaceTurn(telling, addPreview(turn, event.text)), blocks: [] };
    case 'text-reset':
      return { telling: replaceTurn(telling, { ...turn, preview: '' }), blocks: [] };
    case 'text': {
      const told = turn.told === '' ? event.text : `${turn.told}\n\n${event.text}`;
      const text = withoutMarkers(event.text, 'ai');
      const after = { ...turn, preview: '', isRetrying: false, told };
      if (text === '') return { telling: replaceTurn(telling, after), blocks: [] };
      return tellWork(telling, after, { kind: 'text', text });
    }
    case 'waiting': {
      const { waiting: _, ...rest } = turn;
      return { telling: replaceTurn(telling, event.isOver ? rest : { ...turn, waiting: event }), blocks: [] };
    }
    case 'thinking':
    case 'tool-detail':
    case 'usage':
    case 'raw':
      return { telling, blocks: [] };
    default:
      return assertNever(event);
  }
}

function tellMessage(
  telling: Telling,
  { message, turnId, by, at }: MessageAdded & Pick<RecordedEvent, 'at'>,
): Step {
  const turn = turnId === undefined ? undefined : findTurn(telling, turnId);
  const block = showMessage(telling, message, at, by);
  if (turn?.ended === undefined) return { telling, blocks: [block] };
  // What was told part by part is not told again, unless the message became something else.
  const isTold = turn.told.trim() === message.content.trim();
  return { telling: removeTurn(telling, turn.turnId), blocks: [{ ...block, turn: turn.ended, isTold }] };
}

/** A message that was said before. */
export function showMessage(
  telling: Pick<Telling, 'members'>,
  message: ConversationMessage,
  at = message.timestamp,
  by: string = message.speaker.roleId,
): MessageBlock {
  const { roleId, roleName, type } = message.speaker;
  const text = withoutMarkers(message.content, type);
  const known = memberOf(telling, roleId, roleName);
  const named = type === 'system' && known.place < 0 ? { ...known, type: 'ai' as const } : known;
  const member = { ...named, origin: findOrigin(telling, message, by) };
  return { kind: 'message', at, message, member, text, isTold: false };
}

/** A program that speaks for itself has its name. */
function findOrigin(
  telling: Pick<Telling, 'members'>,
  { speaker, via, machine }: ConversationMessage,
  by: string,
): AuthorOrigin | undefined {
  const { roleId, type } = speaker;
  if (type === 'human' && by !== roleId) return { kind: 'role', role: by };
  if (type !== 'human' && findMember(telling, roleId)?.type === 'human') return { kind: 'agent' };
  if (type === 'ai') return machine === undefined ? undefined : { kind: 'machine', machine };
  return via === undefined || type === 'system' ? undefined : { kind: 'program', name: via.name };
}

/** Tells a notice; that something of a role is left out only once: there is one for each event that it wrote. */
function tellNotice(telling: Telling, notice: Notice, at: number): Step {
  const blocks = [{ kind: 'notice', at, notice } as const];
  if (notice.code !== 'left-out') return { telling, blocks };
  const { recordedBy } = notice;
  if (telling.leftOut.includes(recordedBy)) return { telling, blocks: [] };
  return { telling: { ...telling, leftOut: [...telling.leftOut, recordedBy] }, blocks };
}

/** Without the markers that are told separately: whom they address, and of people a task. */
function withoutMarkers(text: string, speaker: SpeakerType): string {
  return stripOuterMarkers(text, speaker === 'human' ? ['next', 'team-task'] : ['next'], speaker);
}

function tellEnd(telling: Telling, event: TurnEnd, at: number): Step {
  const { turnId, result } = event;
  const turn = turnOf(telling, event, at);
  const ended = endTurn(turn, event);
  if (result.kind === 'completed' && result.messageId !== null) {
    const rest = removeTurn(telling, turnId);
    return { telling: { ...rest, turns: [...rest.turns, { ...turn, preview: '', ended }] }, blocks: [] };
  }
  const draft = result.kind === 'completed' ? '' : result.draft;
  const rest = draft.startsWith(turn.told) ? draft.slice(turn.told.length).trim() : draft;
  return { telling: removeTurn(telling, turnId), blocks: [{ kind: 'turn', at, turn: ended, rest }] };
}

/** Tells what changed in files; nothing if nothing did. */
export function tellRecord(
  telling: Telling,
  record: FilesRecorded & Pick<RecordedEvent, 'at'>,
): FilesBlock[] {
  const { at, by, copyOf } = record;
  if (!hasChanges(record)) return [];
  return [
    {
      kind: 'files',
      at,
      record,
      turns: by.kind === 'turns' ? by.turnIds.map((turnId) => findMemberOf(telling, turnId)) : [],
      person: by.kind === 'undo' || by.kind === 'apply' ? memberOf(telling, by.memberId) : undefined,
      copyOf: copyOf === undefined ? undefined : memberOf(telling, copyOf),
    },
  ];
}

/** Whether there is something to tell. What can run programs in a repository has a notice of its own. */
function hasChanges({ files, unlisted = 0, git }: FilesRecorded): boolean {
  return files.length + unlisted > 0 || git?.head !== undefined || git?.branch !== undefined;
}

/** The member of a turn is known if it started among the latest, or was cut off. */
function findMemberOf(telling: Telling, turnId: TurnId): TurnWithFiles {
  const { turns, unfinished } = telling.conversation;
  const turn = findRecentTurn(turns, turnId) ?? unfinished.find(({ turn }) => turn.turnId === turnId)?.turn;
  return turn === undefined ? { turnId } : { turnId, member: memberOf(telling, turn.memberId) };
}

/** An event as the process reads it that holds the conversation, or follows it: for the holder itself it continues here. */
export function forHolder(event: ConversationEvent, isHolder: boolean): ConversationEvent {
  if (!isHolder || event.type !== 'notice' || event.code !== 'lease-taken-over') return event;
  const { continuedBy: _itself, ...notice } = event;
  return notice;
}
