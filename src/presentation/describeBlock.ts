import { describeDiff } from '../catalogue/editDiffs.js';
import { formatCount, formatDuration, formatMoney } from '../catalogue/formats.js';
import { dutiesOf, kindAndTitle, marksOf } from '../catalogue/members.js';
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
import type { Catalogue } from '../catalogue/words.js';
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
  WorkBlock,
} from './Block.js';
import { describeFileRecord, describeOthers, type FileRecordOptions } from './describeFileRecord.js';
import { nameAuthor } from './describeTurn.js';
import { line, note, type Paragraph } from './Paragraph.js';
import { namesIn, type Telling } from './Telling.js';

type Deed = Exclude<WorkBlock, { readonly kind: 'text' }>;

/** As many as are taken in at a glance. */
const MOST_FILES = 5;

export interface BlockOptions {
  readonly words: Catalogue;
  /** Simulated agents answer: what they report was never used. */
  readonly isRehearsal?: boolean | undefined;
  /** Each sentence names its member: no heading stands above it. */
  readonly isNamed?: boolean;
  /** It happened in an earlier session. */
  readonly isPast?: boolean;
  /** A command as it is to be typed. */
  readonly command?: FileRecordOptions['command'];
}

/** A block in words; nothing where something else shows it, such as the live part of a terminal. */
export function describeBlock(
  block: Block,
  telling: Pick<Telling, 'members'>,
  options: BlockOptions,
): Paragraph[] {
  const { words, isRehearsal = false, isNamed = false } = options;
  switch (block.kind) {
    case 'start':
      return isNamed ? [note(words.print.team(block.members.map((each) => introduce(each, words))))] : [];
    case 'message':
      return describeMessage(block, isRehearsal, words);
    case 'turn':
      return describeTurn(block, isRehearsal, words);
    case 'task':
      return [note(block.task === null ? words.terminal.taskCleared : words.terminal.teamTask(block.task))];
    case 'notice':
      return [note(describeNotice(block.notice, namesIn(telling), words), 'warning')];
    case 'fork':
      return [note(describeOrigin(block.fork, words))];
    case 'pause':
      // A turn that was stopped says so itself when it has ended.
      if (block.reason.kind === 'cancelled') return [];
      return [
        note(
          words.joining.sentences([describePause(block.reason, words), words.terminal.continueHint]),
          'warning',
        ),
      ];
    case 'files':
      return [describeChanges(block, options)];
    case 'text':
      return quote(block.text);
    default:
      return isNamed ? nameWork(block, options) : describeWork(block, words);
  }
}

/** A step of a turn under the heading of its member. */
function describeWork(work: Deed, words: Catalogue): Paragraph[] {
  switch (work.kind) {
    case 'tool':
      return work.call.ok === undefined ? [] : [describeTool(work.call)];
    case 'file':
      return [{ ...line('±', 'plain', work.file.path), detail: words.telling.fileChange[work.file.change] }];
    case 'todo':
      return work.finished.map((text) => line('☑', 'quiet', text));
    case 'request':
      return describePermission(work.request, work.member, words);
    case 'decision':
      return describeOutcome(work.request, words);
    case 'retry':
      return [line('↻', 'warning', describeRetry(work.retry, undefined, words))];
    case 'error':
      return [line('!', 'bad', work.error.message)];
    case 'warning':
      return [line('!', 'bad', describeWarning(work.warning, words))];
    default:
      return assertNever(work);
  }
}

/** The same as a sentence about the member; a tool is told when it starts, and again only if it fails. */
function nameWork(work: Deed, { words, isPast = false }: BlockOptions): Paragraph[] {
  const { name } = work.member;
  const { labelled } = words.joining;
  switch (work.kind) {
    case 'tool': {
      const { call } = work;
      const { tool, ranTool, toolFailed } = words.print;
      if (call.ok === undefined) return [note((isPast ? ranTool : tool)(name, call.name, call.input))];
      return call.ok ? [] : [note(toolFailed(name, call.name, call.result ?? ''))];
    }
    case 'file': {
      const { changedFile, fileChange } = words.telling;
      return [note(changedFile(name, fileChange[work.file.change], work.file.path))];
    }
    case 'todo':
      return [note(words.print.plan(name, work.items.filter(({ done }) => done).length, work.items.length))];
    case 'request':
      return [note(words.print.permissionRequest(name, summarizeRequest(work.request)))];
    case 'decision': {
      const { request } = work;
      const isDenied = request.decision === 'denied';
      const told = note(labelled(name, describeDecision(request, words)), isDenied ? 'warning' : 'quiet');
      return isDenied && request.name !== '' ? [spellOut(request, words), told] : [told];
    }
    case 'retry':
      return [note(describeRetry(work.retry, name, words), 'warning')];
    case 'error':
      return [note(labelled(name, work.error.message))];
    case 'warning':
      return [note(labelled(name, describeWarning(work.warning, words)))];
    default:
      return assertNever(work);
  }
}

export function headingOf(member: ShownMember, addressees: readonly string[] = []): Paragraph {
  return { kind: 'heading', member, addressees };
}

function describeMessage(
  { message, member, text, turn, isTold }: MessageBlock,
  isRehearsal: boolean,
  words: Catalogue,
): Paragraph[] {
  const addressees = message.routing?.resolvedAddressees ?? [];
  if (turn === undefined) return [headingOf(nameAuthor(member, words), addressees), ...quote(text)];
  return [...(isTold ? [] : quote(text)), endingOf(turn, isRehearsal, words, addressees)];
}

function quote(text: string): Paragraph[] {
  return text === '' ? [] : [{ kind: 'text', text, tone: 'plain' }];
}

/** A tool call in one line; `/expand` prints the rest. */
function describeTool({ number, name, input, ok, result = '' }: ToolCall): Paragraph {
  return {
    ...(ok ? line('✓', 'good', `${name} ${input}`.trim()) : line('✗', 'bad', `${name} ${input}`.trim())),
    detail: result.trim() === '' ? undefined : result,
    aside: `#${number}`,
  };
}

/** A request: shown whole if a person is to decide, the changes first; else a line. */
function describePermission(request: PermissionRecord, { name }: ShownMember, words: Catalogue): Paragraph[] {
  const { number, diffs = [] } = request;
  if (number === undefined) return [line('?', 'quiet', summarizeRequest(request))];
  return [
    ...diffs.map((diff): Paragraph => ({ kind: 'diff', ...describeDiff(diff, words) })),
    {
      kind: 'request',
      headline: words.terminal.permissionRequest(number, name, describeWish(request, words)),
      facts: describeRequest(request, words),
    },
  ];
}

function describeOutcome(request: DecidedPermission, words: Catalogue): Paragraph[] {
  const { number, decision, by } = request;
  const text = describeDecision(request, words);
  if (number !== undefined)
    return [note(words.terminal.questionDecided(number, text), by.kind === 'person' ? 'quiet' : 'warning')];
  if (decision === 'cancelled') return [];
  return [decision === 'allowed' ? line('✓', 'good', text) : line('✗', 'bad', text)];
}

/** Changes between turns are a line in the background, all others a list. */
function describeChanges(block: FilesBlock, { words, command, isNamed }: BlockOptions): Paragraph {
  const others = describeOthers(block, words);
  if (others !== undefined) return note(others);
  const isHeaded = !isNamed && block.turns.length === 1;
  return { kind: 'files', files: describeFileRecord(block, { most: MOST_FILES, command, isHeaded }, words) };
}

/** All that a request says, with the changes it would make, each line behind a mark: none of it can look like ours. */
function spellOut(request: PermissionRecord, words: Catalogue): Paragraph {
  const changes = (request.diffs ?? [])
    .map((diff) => describeDiff(diff, words))
    .flatMap(({ title, lines }) => [`± ${title}`, ...lines.map(({ mark, text }) => `${mark} ${text}`)]);
  const facts = describeRequest(request, words).map(([label, text]) => `${label}${text}`);
  return { kind: 'details', title: '', text: [...facts, ...changes].map((text) => `│ ${text}`).join('\n') };
}

/** `max (Claude Code, Architect)`, and whether it runs without a sandbox. */
function introduce(member: ShownMember, words: Catalogue): string {
  return words.joining.described(member.name, [
    ...kindAndTitle(member, words),
    ...dutiesOf(member, words),
    ...marksOf(member, words),
  ]);
}

function describeTurn({ turn, rest }: TurnBlock, isRehearsal: boolean, words: Catalogue): Paragraph[] {
  const { member, result } = turn;
  if (result.kind === 'completed') return [endingOf(turn, isRehearsal, words)];
  const { what, hint } = describeTrouble(member.name, result, words);
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
    endingOf(turn, isRehearsal, words),
  ];
}

function endingOf(
  { turnId, milliseconds, usage: reported }: ToldTurn,
  isRehearsal: boolean,
  words: Catalogue,
  addressees: readonly string[] = [],
): Paragraph {
  const usage = isRehearsal ? undefined : reported;
  const parts = [
    formatDuration(milliseconds, { short: true }, words),
    ...(usage ? [words.telling.tokens(formatCount(usage.inputTokens + usage.outputTokens))] : []),
    ...(usage?.usd ? [formatMoney(usage.usd, words)] : []),
    turnId,
  ];
  return { kind: 'ending', addressees, aside: parts.join(' · ') };
}
