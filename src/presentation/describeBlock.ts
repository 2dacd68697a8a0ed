import { describeDiff } from '../catalogue/editDiffs.js';
import { formatCount, formatDuration, formatMoney } from '../catalogue/formats.js';
import { describeRequest, describeWish, summarizeRequest } from '../catalogue/permissionRequests.js';
import {
  describeDecision,
  describeNotice,
  describeOrigin,
  describePause,
  describeRetry,
  describeTrouble,
  describeWarning,
  unquotedStderr,
} from '../catalogue/tellings.js';
import { words } from '../catalogue/words.js';
import { assertNever } from '../utils/assertNever.js';
import type {
  Block,
  DecidedPermission,
  FilesBlock,
  MessageBlock,
  PermissionRecord,
  ShownMember,
  ToldTurn,
  ToolCall,
  TurnBlock,
} from './Block.js';
import { describeFileRecord, describeOthers } from './describeFileRecord.js';
import { line, note, type Paragraph } from './Paragraph.js';
import { namesIn, type Telling } from './Telling.js';

/** As many as are taken in at a glance. */
const MOST_FILES = 5;

/** A block in the words of the terminal; nothing if the live part shows it. */
export function describeBlock(
  block: Block,
  telling: Pick<Telling, 'members'>,
  isRehearsal = false,
): Paragraph[] {
  switch (block.kind) {
    case 'start':
      return [];
    case 'message':
      return describeMessage(block, isRehearsal);
    case 'text':
      return quote(block.text);
    case 'tool':
      return block.call.ok === undefined ? [] : [describeTool(block.call)];
    case 'file':
      return [
        { ...line('±', 'plain', block.file.path), detail: words.telling.fileChange[block.file.change] },
      ];
    case 'todo':
      return block.finished.map((text) => line('☑', 'quiet', text));
    case 'request':
      return describePermission(block.request, block.member);
    case 'decision':
      return describeOutcome(block.request);
    case 'retry':
      return [line('↻', 'warning', describeRetry(block.retry))];
    case 'error':
      return [line('!', 'bad', block.error.message)];
    case 'warning':
      return [line('!', 'bad', describeWarning(block.warning))];
    case 'turn':
      return describeTurn(block, isRehearsal);
    case 'task':
      return [note(block.task === null ? words.terminal.taskCleared : words.terminal.teamTask(block.task))];
    case 'notice':
      return [note(describeNotice(block.notice, namesIn(telling)), 'warning')];
    case 'fork':
      return [note(describeOrigin(block.fork))];
    case 'pause':
      // A turn that was stopped says so itself when it has ended.
      if (block.reason.kind === 'cancelled') return [];
      return [
        note(words.joining.sentences([describePause(block.reason), words.terminal.continueHint]), 'warning'),
      ];
    case 'files':
      return [describeChanges(block)];
    default:
      return assertNever(block);
  }
}

export function headingOf(member: ShownMember, addressees: readonly string[] = []): Paragraph {
  return { kind: 'heading', member, addressees };
}

function describeMessage(
  { message, member, text, turn, isTold }: MessageBlock,
  isRehearsal: boolean,
): Paragraph[] {
  const addressees = message.routing?.resolvedAddressees ?? [];
  if (turn === undefined) return [headingOf(member, addressees), ...quote(text)];
  return [...(isTold ? [] : quote(text)), endingOf(turn, isRehearsal, addressees)];
}

function quote(text: string): Paragraph[] {
  return text === '' ? [] : [{ kind: 'text', text, tone: 'plain' }];
}

/** A tool call in one line; `/expand` prints the rest. */
function describeTool({ number, name, input, ok, result = '' }: ToolCall): Paragraph {
  return {
    ...(ok ? line('✓', 'good', `${name} ${input}`.trim()) : line('✗', 'bad', `${name} ${input}`.trim())),
    ...(result.trim() !== '' && { detail: result }),
    aside: `#${number}`,
  };
}

/** A request: shown whole if a person is to decide, the changes first; else a line. */
function describePermission(request: PermissionRecord, { name }: ShownMember): Paragraph[] {
  const { number, diffs = [] } = request;
  if (number === undefined) return [line('?', 'quiet', summarizeRequest(request))];
  return [
    ...diffs.map((diff): Paragraph => ({ kind: 'diff', ...describeDiff(diff) })),
    {
      kind: 'request',
      headline: words.terminal.permissionRequest(number, name, describeWish(request)),
      facts: describeRequest(request),
    },
  ];
}

function describeOutcome(request: DecidedPermission): Paragraph[] {
  const { number, decision, by } = request;
  const text = describeDecision(request);
  if (number !== undefined)
    return [note(words.terminal.questionDecided(number, text), by.kind === 'person' ? 'quiet' : 'warning')];
  if (decision === 'cancelled') return [];
  return [decision === 'allowed' ? line('✓', 'good', text) : line('✗', 'bad', text)];
}

/** Changes between turns are a line in the background, all others a list. */
function describeChanges(block: FilesBlock): Paragraph {
  const others = describeOthers(block);
  if (others !== undefined) return note(others);
  const options = { most: MOST_FILES, command: slashCommand, isHeaded: block.turns.length === 1 };
  return { kind: 'files', files: describeFileRecord(block, options) };
}

function slashCommand(name: string, what: string): string {
  return `/${name} ${what}`;
}

function describeTurn({ turn, rest }: TurnBlock, isRehearsal: boolean): Paragraph[] {
  const { member, result } = turn;
  if (result.kind === 'completed') return [endingOf(turn, isRehearsal)];
  const { what, hint } = describeTrouble(member.name, result);
  const isFault = result.kind === 'failed' || result.kind === 'timed-out';
  const stderr = result.kind === 'failed' ? unquotedStderr(result.failure).join('\n') : '';
  return [
    ...(rest === '' ? [] : [{ kind: 'text', text: rest, tone: 'quiet' } as const]),
    note(
      result.kind === 'cancelled' ? words.terminal.stopped(member.name) : words.joining.sentence(what),
      isFault ? 'bad' : 'warning',
    ),
    ...(isFault && hint !== '' ? [note(hint, 'plain')] : []),
    ...(stderr === '' ? [] : [{ kind: 'details', title: 'stderr', text: stderr } as const]),
    ...(result.draft === '' ? [] : [note(words.terminal.draftKept)]),
    endingOf(turn, isRehearsal),
  ];
}

function endingOf(
  { turnId, milliseconds, usage: reported }: ToldTurn,
  isRehearsal: boolean,
  addressees: readonly string[] = [],
): Paragraph {
  const usage = isRehearsal ? undefined : reported;
  const parts = [
    formatDuration(milliseconds, { short: true }),
    ...(usage ? [words.telling.tokens(formatCount(usage.inputTokens + usage.outputTokens))] : []),
    ...(usage?.usd ? [formatMoney(usage.usd)] : []),
    turnId,
  ];
  return { kind: 'ending', addressees, aside: parts.join(' · ') };
}
