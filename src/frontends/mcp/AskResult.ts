import { describeNotice, describePause, describeTrouble } from '../../catalogue/tellings.js';
import type { Catalogue } from '../../catalogue/words.js';
import { askedFor, type ConversationOutcome, outcomeOf } from '../../conversation/questions.js';
import type { TurnResult } from '../../models/ConversationEvent.js';
import type { Block, MessageBlock, TurnBlock } from '../../presentation/Block.js';
import { describeFileRecord, formatFileLines } from '../../presentation/describeFileRecord.js';
import { nameAuthor } from '../../presentation/describeTurn.js';
import { namesIn } from '../../presentation/Telling.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import type { Ask } from './Ask.js';

/** Rows of a list of changed files. */
const MOST_FILES = 20;

/** Result of an ask so far, ready to be shown to a model. */
export interface AskResult {
  readonly session: string;
  readonly status: AskStatus;
  readonly turns: number;
  readonly usd: number;
  readonly isEstimated: boolean;
  readonly answers: readonly AskAnswer[];
  /** Members that work, and for how many seconds. */
  readonly running: ReadonlyArray<{ readonly member: string; readonly seconds: number }>;
  /** Sentences: what else is to be known, and what to do. */
  readonly notes: readonly string[];
}

/** `waiting`: a member asks a person. `paused`: at a limit. `stopped`: a call was cancelled, or asked for it. */
export type AskStatus = 'running' | 'done' | 'waiting' | 'paused' | 'stopped' | 'failed';

/** The end of one turn. */
export interface AskAnswer {
  readonly member: string;
  readonly turn: string;
  readonly outcome: TurnResult['kind'];
  /** Id of the message that the answer became. */
  readonly message?: string;
  /** The answer, or the draft of a turn that did not complete. */
  readonly text: string;
  /** Members that it hands off to. */
  readonly handsOffTo?: readonly string[];
  /** The reason why it did not complete, and what to do. */
  readonly error?: string;
}

const STATUSES: Readonly<Record<ConversationOutcome, AskStatus>> = {
  done: 'done',
  waiting: 'waiting',
  limit: 'paused',
  cancelled: 'stopped',
  'not-logged-in': 'failed',
  'agent-missing': 'failed',
  failed: 'failed',
  'no-recipient': 'failed',
};

/** The client that a result is for. */
interface AskReader {
  /** The name of the client. */
  readonly client: string;
  readonly now: number;
  readonly words: Catalogue;
}

export function describeAsk(ask: Ask, reader: AskReader): AskResult {
  const { telling, blocks, totals } = ask;
  const { now, words } = reader;
  return {
    session: ask.id,
    status: statusOf(ask),
    turns: totals.turns,
    usd: totals.usd,
    isEstimated: totals.isEstimated,
    answers: blocks.flatMap((block) => describeAnswer(block, words)),
    running: telling.turns
      .filter(({ ended }) => ended === undefined)
      .map(({ member, startedAt }) => ({
        member: member.name,
        seconds: Math.max(0, Math.floor((now - startedAt) / 1000)),
      })),
    notes: [...blocks.flatMap((block) => describeBlock(block, ask, words)), ...describeEnding(ask, reader)],
  };
}

function statusOf(ask: Ask): AskStatus {
  if (!ask.isOver) return 'running';
  const { conversation } = ask.telling;
  if (isOnlyLimited(ask)) return STATUSES[outcomeOf({ ...conversation, pause: null })];
  return ask.isAtServerLimit && conversation.pause?.kind === 'asked'
    ? 'paused'
    : STATUSES[outcomeOf(conversation)];
}

/** Whether a limit ended nothing: one turn was asked for, or the limit of all asks came with the last turn of this one. */
function isOnlyLimited({ rules, isAtServerLimit, telling: { conversation } }: Ask): boolean {
  const { pause, queue } = conversation;
  if (pause?.kind === 'asked') return isAtServerLimit && queue.length === 0;
  return rules.isSingle && pause?.kind === 'limit' && pause.limit === 'agentTurns';
}

function describeAnswer(block: Block, words: Catalogue): readonly AskAnswer[] {
  if (block.kind === 'message')
    return block.turn === undefined ? [] : [describeMessage(block, block.turn, words)];
  return block.kind === 'turn' ? describeUnfinished(block, words) : [];
}

function describeMessage(
  { message, text, member }: MessageBlock,
  { turnId, result }: NonNullable<MessageBlock['turn']>,
  words: Catalogue,
): AskAnswer {
  const to = message.routing?.resolvedAddressees ?? [];
  return {
    member: nameAuthor(member, words).name,
    turn: turnId,
    outcome: result.kind,
    message: message.id,
    text: sanitizeForTerminal(text),
    handsOffTo: to.length > 0 ? to : undefined,
  };
}

function describeUnfinished(
  { turn: { turnId, member, result } }: TurnBlock,
  words: Catalogue,
): readonly AskAnswer[] {
  const answer = { member: member.name, turn: turnId, outcome: result.kind };
  // An answer without words becomes no message.
  if (result.kind === 'completed') return [{ ...answer, text: '' }];
  const { code, what, hint } = describeTrouble(member.name, result, words);
  const { sentence, sentences } = words.joining;
  const error = words.cli.error(code, sentences([sentence(what), hint]));
  return [{ ...answer, text: sanitizeForTerminal(result.draft), error: sanitizeToOneLine(error) }];
}

function describeBlock(block: Block, { telling }: Ask, words: Catalogue): readonly string[] {
  if (block.kind === 'notice')
    return [sanitizeToOneLine(describeNotice(block.notice, namesIn(telling), words))];
  if (block.kind !== 'files' || block.record.by.kind !== 'turns') return [];
  return [formatFileLines(describeFileRecord(block, { most: MOST_FILES }, words)).join('\n')];
}

/** The reason why it is over, when it is not simply done, and how to continue. */
function describeEnding(ask: Ask, { client, words }: AskReader): readonly string[] {
  const { telling, rules, isOver, id } = ask;
  const { conversation } = telling;
  const { mcp, joining } = words;
  const status = statusOf(ask);
  const names = askedFor(conversation).map(namesIn(telling));
  return [
    ...(isOver ? [] : [mcp.notes.running(id)]),
    ...(status === 'paused' ? [joining.sentences([describeLimit(ask, words), mcp.notes.paused(id)])] : []),
    ...(status === 'waiting' ? [mcp.notes.waiting(names, id)] : []),
    ...(status === 'stopped' ? [mcp.notes.stopped(id)] : []),
    ...(rules.leftOut.length > 0 ? [mcp.notes.leftOut(rules.leftOut)] : []),
    ...adviseLogin(ask.blocks, client, words),
  ].map(sanitizeToOneLine);
}

function describeLimit({ isAtServerLimit, telling }: Ask, words: Catalogue): string {
  const { pause } = telling.conversation;
  if (isAtServerLimit) return words.mcp.notes.serverLimit;
  return pause === null ? '' : describePause(pause, words);
}

/** Clients that start servers with few variables, by the beginning of their names. */
const SPARING = {
  'codex-mcp-client': 'codex',
  'gemini-cli-mcp-client': 'gemini',
} as const;

/** Tells how keys reach members, if one had none and the client passes on few variables. */
function adviseLogin(blocks: readonly Block[], client: string, words: Catalogue): readonly string[] {
  const [, sparing] = Object.entries(SPARING).find(([name]) => client.startsWith(name)) ?? [];
  if (sparing === undefined) return [];
  const failures = blocks.flatMap((block) =>
    block.kind === 'turn' && block.turn.result.kind === 'failed' ? [block.turn.result.failure] : [],
  );
  const refused = failures.filter((failure) => failure.reason === 'login-needed');
  if (refused.length === 0) return [];
  const variables = new Set(refused.flatMap(({ login }) => login?.variables ?? []));
  return [words.mcp.fewVariables[sparing]([...variables])];
}
