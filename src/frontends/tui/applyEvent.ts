import { describeFailure } from '../../catalogue/failures.js';
import { describeNotice } from '../../catalogue/notices.js';
import {
  formatCount,
  formatDuration,
  formatUsd,
  terminalEnglish as words,
} from '../../catalogue/terminal.js';
import { applyFact } from '../../conversation/ConversationState.js';
import type {
  ConversationEvent,
  MessageAdded,
  RecordedEvent,
  TurnEnd,
  TurnProgress,
} from '../../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../models/ids.js';
import { assertNever } from '../../utils/assertNever.js';
import { applyActivity } from './applyActivity.js';
import { applyDecision } from './applyPermission.js';
import type { Block } from './Block.js';
import { addPreview, endedTurn, type LiveTurn, startedTurn } from './LiveTurn.js';
import { showMessage, showText } from './messageBlocks.js';
import { addToTurn, findTurn, replaceTurn, type Screen, type Step, speakerOf } from './Screen.js';

/** The screen after one more event. Pure: the same events always make the same transcript. */
export function applyEvent(screen: Screen, event: ConversationEvent): Step {
  if (event.type === 'turn-progress') return applyProgress(screen, event);
  return applyRecorded({ ...screen, conversation: applyFact(screen.conversation, event) }, event);
}

function applyRecorded(screen: Screen, event: RecordedEvent): Step {
  switch (event.type) {
    case 'conversation-start':
    case 'profile-changed':
    case 'turns-queued':
    case 'turns-dropped':
    case 'waiting-for-human':
    case 'conversation-resume':
      return { screen, blocks: [] };
    case 'message-added':
      return applyMessage(screen, event);
    case 'task-changed':
      return {
        screen: { ...screen, task: event.task },
        blocks: [note('quiet', event.task === null ? words.taskCleared : words.teamTask(event.task))],
      };
    case 'turn-start':
      return { screen: { ...screen, turns: [...screen.turns, startedTurn(event)] }, blocks: [] };
    case 'turn-activity':
      return applyActivity(screen, event);
    case 'permission-decided':
      return applyDecision(screen, event);
    case 'turn-end':
      return applyTurnEnd(screen, event);
    case 'notice':
      return {
        screen,
        blocks: [
          note(
            'warning',
            describeNotice(event, (memberId) => speakerOf(screen, memberId).name),
          ),
        ],
      };
    case 'conversation-pause':
      return { screen, blocks: describePause(event.reason) };
    default:
      return assertNever(event);
  }
}

function applyProgress(screen: Screen, { turnId, event }: TurnProgress): Step {
  const turn = findTurn(screen, turnId);
  if (turn === undefined) return { screen, blocks: [] };
  switch (event.type) {
    case 'text-delta':
      return replaceTurn(screen, addPreview(turn, event.text));
    case 'text-reset':
      return replaceTurn(screen, { ...turn, preview: '' });
    case 'text': {
      const shown = turn.shown === '' ? event.text : `${turn.shown}\n\n${event.text}`;
      const step = replaceTurn(screen, { ...turn, preview: '', retry: null, shown });
      return addToTurn(step.screen, turn, showText(event.text));
    }
    case 'thinking':
    case 'usage':
    case 'raw':
      return { screen, blocks: [] };
    default:
      return assertNever(event);
  }
}

function applyMessage(screen: Screen, { message, turnId }: MessageAdded): Step {
  const turn = turnId === undefined ? undefined : findTurn(screen, turnId);
  if (turn === undefined) {
    const speaker = speakerOf(screen, message.speaker.roleId as MemberId, message.speaker.roleName);
    return { screen: { ...screen, heading: null }, blocks: showMessage(speaker, message) };
  }
  // What was shown block by block is not shown again, unless the message became something else.
  const isShown = turn.shown.trim() === message.content.trim();
  return addToTurn(removeTurn(screen, turn.turnId), turn, [
    ...(isShown ? [] : showText(message.content)),
    turnFooter(message.routing?.resolvedAddressees ?? [], turn),
  ]);
}

function applyTurnEnd(screen: Screen, event: TurnEnd & { readonly at: number }): Step {
  const turn = endedTurn(findTurn(screen, event.turnId) ?? startedTurn(event), event);
  const permissions = screen.permissions.filter(({ turnId }) => turnId !== event.turnId);
  const after: Screen = { ...removeTurn(screen, event.turnId), permissions };
  const { result } = event;
  if (result.kind === 'completed') {
    if (result.messageId === null) return addToTurn(after, turn, [turnFooter([], turn)]);
    return { screen: { ...after, turns: [...after.turns, turn] }, blocks: [] };
  }
  const rest = result.draft.startsWith(turn.shown)
    ? result.draft.slice(turn.shown.length).trim()
    : result.draft;
  return addToTurn(after, turn, [
    ...(rest === '' ? [] : [{ kind: 'text', text: rest, tone: 'quiet' } as const]),
    ...describeEnd(screen, event),
    ...(result.draft === '' ? [] : [note('quiet', words.draftKept)]),
    turnFooter([], turn),
  ]);
}

function describeEnd(screen: Screen, { memberId, result }: TurnEnd): Block[] {
  const { name } = speakerOf(screen, memberId);
  switch (result.kind) {
    case 'completed':
      return [];
    case 'failed': {
      const { stderrTail } = result.failure;
      const { what, hint } = describeFailure(name, result.failure);
      return [
        note('bad', `${what}.`),
        ...(hint === '' ? [] : [note('plain', hint)]),
        ...(stderrTail === undefined
          ? []
          : [{ kind: 'details', title: 'stderr', text: stderrTail } as const]),
      ];
    }
    case 'timed-out':
      return [note('bad', words.draft['timed-out'](name, result.limit, result.milliseconds))];
    case 'cancelled':
    case 'interrupted':
      return [note('warning', words.draft[result.kind](name))];
    default:
      return assertNever(result);
  }
}

function describePause(reason: Extract<RecordedEvent, { type: 'conversation-pause' }>['reason']): Block[] {
  // A cancelled turn says so itself when it has ended.
  if (reason.kind === 'cancelled') return [];
  return [note('warning', `${words.paused(reason)} ${words.continueHint}`)];
}

function turnFooter(addressees: readonly string[], { turnId, milliseconds, usage }: LiveTurn): Block {
  const spent = usage && words.status.tokens(formatCount(usage.inputTokens + usage.outputTokens));
  const parts = [formatDuration(milliseconds), spent, formatPrice(usage?.usd), turnId];
  return { kind: 'ending', addressees, aside: parts.filter((part) => part !== undefined).join(' · ') };
}

function formatPrice(usd: number | undefined): string | undefined {
  return usd === undefined || usd === 0 ? undefined : formatUsd(usd);
}

function removeTurn(screen: Screen, turnId: TurnId): Screen {
  return { ...screen, turns: screen.turns.filter((turn) => turn.turnId !== turnId) };
}

function note(tone: Extract<Block, { kind: 'note' }>['tone'], content: string): Block {
  return { kind: 'note', tone, text: content };
}
