import { words } from '../../../catalogue/words.js';
import { listUsage, splitUsage, summarizeUsage, type TurnUsageEntry } from '../../../conversation/usage.js';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import { HuddleError } from '../../../models/errors.js';
import type { MemberId } from '../../../models/ids.js';
import { amountIn, tokensIn } from '../../../models/usageFigures.js';
import type { ShownMember } from '../../../presentation/Block.js';
import { nameAuthor } from '../../../presentation/describeTurn.js';
import { showMembers } from '../../../presentation/Telling.js';
import { showMessage } from '../../../presentation/tell.js';
import { EXPORT_WRITERS } from '../../../transcript/exportFormats.js';
import { findFolded, foldText } from '../../../utils/foldText.js';
import type { TextAnswer } from '../routes.js';
import type {
  BinShare,
  CostBin,
  CostShown,
  Excerpt,
  MembersShown,
  SearchHit,
  SearchHits,
  ShownAgent,
} from '../wire.js';
import { explainForPage, readPromptPart } from './explainForPage.js';
import { findFileChanges } from './findFileChanges.js';
import type { QuestionName, ReadEvents, ReadingQuestion, ReadingQuestions } from './ReadingQuestion.js';

type Answers = {
  readonly [Name in QuestionName]: (
    read: ReadEvents,
    question: ReadingQuestion<Name>,
  ) => Promise<ReadingQuestions[Name]['answer']>;
};

const ANSWERS: Answers = {
  members: (read) => findAgents(read),
  why: (read, { about }) => explainForPage(read, about.turn),
  prompt: (read, { about }) => readPromptPart(read, about),
  changes: (read, { about }) => findFileChanges(read, about.turn),
  cost: (read, { about }) => countCost(read, about.bins),
  search: (read, { about }) => searchMessages(read, about.text),
  export: (read, { conversationId, about }) => exportConversation(read, conversationId, about.format),
};

/** Answers one question about a log. Rejects with a HuddleError if it is about something that the log does not have. */
export function answerQuestion<Name extends QuestionName>(
  question: ReadingQuestion<Name>,
  read: ReadEvents,
): Promise<ReadingQuestions[Name]['answer']> {
  return ANSWERS[question.name](read, question);
}

/** Finds out how the agents of a conversation are set up now: their last profiles, and the models that they reported since. */
async function findAgents(read: ReadEvents): Promise<MembersShown> {
  const agents = new Map<MemberId, ShownAgent>();
  for await (const event of read()) {
    if (event.type === 'profile-changed') {
      const { memberId, profile, settings } = event;
      const { memory, window, visibility, maxBytes } = profile;
      agents.set(memberId, {
        ...{ memberId, memory, window, visibility, maxBytes },
        model: settings?.model,
        permission: settings?.permission,
        isInCopy: settings?.workspace === 'copy' ? true : undefined,
      });
    }
    if (event.type !== 'turn-activity' || event.event.type !== 'session') continue;
    const [known, { model }] = [agents.get(event.memberId), event.event];
    if (known !== undefined && model !== undefined) agents.set(event.memberId, { ...known, model });
  }
  return { agents: [...agents.values()] };
}

/** Adds up the usage of a conversation: in total, by member, and in so many bins for a chart. */
async function countCost(read: ReadEvents, bins: number): Promise<CostShown> {
  const entries = await listUsage(read());
  const fork = splitUsage(entries);
  return { usage: summarizeUsage(entries), fork, bins: binUsage(entries, bins) };
}

/** Puts turns that follow each other into at most so many bins of the same size; only the last may have fewer turns. */
function binUsage(entries: readonly TurnUsageEntry[], most: number): readonly CostBin[] {
  const size = Math.max(1, Math.ceil(entries.length / most));
  const bins: CostBin[] = [];
  for (let first = 0; first < entries.length; first += size) {
    const turns = entries.slice(first, first + size);
    const [from, to] = [turns[0], turns.at(-1)];
    if (from !== undefined && to !== undefined)
      bins.push({ from: from.turnId, to: to.turnId, members: shareOut(turns) });
  }
  return bins;
}

/** The parts of the members, in the order in which they come first. */
function shareOut(turns: readonly TurnUsageEntry[]): readonly BinShare[] {
  const shares = new Map<MemberId, BinShare>();
  for (const { memberId, usage } of turns) {
    const { usd, tokens } = shares.get(memberId) ?? { usd: 0, tokens: 0 };
    shares.set(memberId, {
      memberId,
      usd: usd + amountIn(usage.usd),
      tokens: tokens + tokensIn(usage.inputTokens) + tokensIn(usage.outputTokens),
    });
  }
  return [...shares.values()];
}

/** As many as a person looks through. */
const MOST_HITS = 200;
/** Units around a hit. */
const [BEFORE, AFTER] = [40, 100];

/** Finds a text in what messages show, in capitals or not: each message once, with its first place. */
async function searchMessages(read: ReadEvents, text: string): Promise<SearchHits> {
  const folded = foldText(text);
  const hits: SearchHit[] = [];
  let members: readonly ShownMember[] = [];
  for await (const event of read()) {
    if (event.type === 'conversation-start') members = showMembers(event.team.members);
    const hit = findIn(event, folded, members);
    if (hit !== undefined) hits.push(hit);
  }
  return { hits: hits.slice(-MOST_HITS), isCut: hits.length > MOST_HITS };
}

function findIn(
  event: RecordedEvent,
  folded: string,
  members: readonly ShownMember[],
): SearchHit | undefined {
  if (event.type !== 'message-added' || !foldText(event.message.content).includes(folded)) return undefined;
  const { text, member } = showMessage({ members }, event.message);
  const place = findFolded(text, folded);
  if (place === undefined) return undefined;
  return {
    seq: event.seq,
    messageId: event.message.id,
    memberName: nameAuthor(member, words).name,
    at: event.at,
    excerpt: cutOut(text, place),
  };
}

function cutOut(text: string, { start, end }: { readonly start: number; readonly end: number }): Excerpt {
  const from = Math.max(0, start - BEFORE);
  return {
    before: onOneLine(`${from > 0 ? '…' : ''}${text.slice(from, start)}`),
    match: onOneLine(text.slice(start, end)),
    after: onOneLine(`${text.slice(end, end + AFTER)}${text.length > end + AFTER ? '…' : ''}`),
  };
}

/** A cut may go through a pair of units. */
function onOneLine(text: string): string {
  return text.toWellFormed().replaceAll('\ufffd', '').replaceAll(/\s+/gu, ' ');
}

const TYPES = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
};

/** Writes a conversation as `huddle export` does, as a file to save. Of a damaged one what can be read; its name says so. */
async function exportConversation(
  read: ReadEvents,
  conversationId: string,
  format: keyof typeof TYPES,
): Promise<TextAnswer> {
  let isDamaged = false;
  const readIntact = async function* () {
    try {
      yield* read();
    } catch (error) {
      if (!(error instanceof HuddleError && error.code === 'STORE_DAMAGED')) throw error;
      isDamaged = true;
    }
  };
  const pieces: string[] = [];
  for await (const piece of EXPORT_WRITERS[format](readIntact)) pieces.push(piece);
  const name = `huddle-${conversationId.replaceAll(/[^\w.-]/gu, '_')}`;
  const fileName = `${name}${isDamaged ? '-incomplete' : ''}.${format}`;
  return { type: TYPES[format], text: pieces.join(''), fileName };
}
