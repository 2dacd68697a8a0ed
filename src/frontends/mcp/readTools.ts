import { formatTime } from '../../catalogue/formats.js';
import type { Catalogue, WordsOf } from '../../catalogue/words.js';
import { listUsage, summarizeUsage } from '../../conversation/usage.js';
import type { Conversations, ReadConversation } from '../../coordinator/Conversations.js';
import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import { explainUnpriced, findUnpriced } from '../../presentation/cost.js';
import { formatEntry, formatOpening } from '../../transcript/markdown.js';
import { createTranscript, type Transcript, type TranscriptEntry } from '../../transcript/Transcript.js';
import { type AnyIterable, toArray } from '../../utils/AnyIterable.js';
import { nearest } from '../../utils/nearest.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import { formatCost } from '../lines/formatCost.js';
import { explainNamedTurn, formatWhy, readMemberNames } from '../lines/formatWhy.js';
import type { Reply } from './McpOptions.js';
import type { Serving } from './Serving.js';
import type { Given } from './tools.js';

const LISTED = 20;
/** Characters of a title in a list. */
const TITLE_CHARACTERS = 60;

/** Characters that a tool gives if no one says how many: Codex shows a model 10,000 tokens. */
const DEFAULT_CHARACTERS = 30_000;

/** Reads a conversation as Markdown, or lists those of the folder. */
export async function readConversation(
  { session, from, max_characters: maxCharacters = DEFAULT_CHARACTERS }: Given<'read_conversation'>,
  serving: Serving,
): Promise<Reply> {
  if (session === undefined) return { text: await listConversations(serving) };
  return withConversation(session, serving, ({ reader }) =>
    readPage(reader.read(), { from, maxCharacters, words: serving.options.words }),
  );
}

/** Shows what a member was sent in a turn: what `huddle why` shows. */
export function explainTurnOf(
  { session, turn, prompt = false }: Given<'explain_turn'>,
  serving: Serving,
): Promise<Reply> {
  return withConversation(session, serving, (conversation) =>
    explain(conversation, turn, {
      words: serving.options.words,
      mostOfPrompt: prompt ? DEFAULT_CHARACTERS : undefined,
    }),
  );
}

/** The plan of a turn, and so many characters of its prompt if it is wanted. */
export async function explain(
  { reader }: ReadConversation,
  turn: string,
  { words, mostOfPrompt }: { readonly words: Catalogue; readonly mostOfPrompt?: number | undefined },
): Promise<string> {
  const explained = await explainNamedTurn(() => reader.read(), turn, words);
  const { output, isExact } = explained;
  const plan = formatWhy(explained, await readMemberNames(reader.read(1, 1)), words);
  const parts = [...(isExact ? [] : [words.why.notExact]), plan];
  if (mostOfPrompt === undefined) return parts.join('\n');
  const { systemPrompt, asPrompt } = words.print;
  const { systemFlag, prompt: text } = output;
  const sent = systemFlag === undefined ? text : `${systemPrompt}\n${systemFlag}\n\n${asPrompt}\n${text}`;
  return [...parts, '', cutText(sanitizeForTerminal(sent), mostOfPrompt, words)].join('\n');
}

/** Shows tokens and money: what `huddle cost` shows. */
export function showCost({ session }: Given<'conversation_cost'>, serving: Serving): Promise<Reply> {
  const { words } = serving.options;
  return withConversation(session, serving, async ({ reader, summary }) => {
    const entries = await listUsage(reader.read());
    if (entries.length === 0) return words.cost.nothing(summary.id);
    const [start] = await toArray(reader.read(1, 1));
    const members = start?.type === 'conversation-start' ? start.team.members : [];
    const unpriced = summary.isRehearsal ? [] : findUnpriced(summarizeUsage(entries), members);
    const table = formatCost(entries, await readMemberNames(reader.read(1, 1)), words);
    return [table, ...explainUnpriced(unpriced, words).map(sanitizeToOneLine)].join('\n');
  });
}

async function withConversation(
  session: string,
  serving: Serving,
  work: (conversation: ReadConversation) => Promise<string>,
): Promise<Reply> {
  const conversation = await (await conversationsOf(serving)).read(session, serving.options.folder);
  try {
    return { text: await work(conversation), session: conversation.summary.id };
  } finally {
    await conversation.reader.close();
  }
}

async function conversationsOf(serving: Serving): Promise<Conversations> {
  return (await serving.asks()).conversations();
}

/** A part of a conversation that is wanted. */
interface PageQuery {
  /** The message to begin with. Default: the first. */
  readonly from?: string | undefined;
  readonly maxCharacters: number;
  readonly words: WordsOf<'mcp'>;
}

/** Reads a page of a conversation: whole messages, as many as there is room for, and where the next page begins. */
async function readPage(events: AnyIterable<RecordedEvent>, query: PageQuery): Promise<string> {
  const { from, maxCharacters, words } = query;
  const transcript = await createTranscript(events);
  const { entries, conversationId } = transcript;
  const start = from === undefined ? 0 : placeOfMessage(entries, from);
  const parts = [formatOpening(transcript)];
  let room = maxCharacters - (parts[0]?.length ?? 0);
  for (const [index, entry] of entries.slice(start).entries()) {
    const text = formatWhole(entry, transcript);
    const isFirst = index === 0;
    if (text.length > room && !isFirst) {
      const next = nextMessage(entries.slice(start + index));
      return [...parts, ...(next === undefined ? [] : [words.mcp.moreFrom(conversationId, next)])].join(
        '\n\n',
      );
    }
    parts.push(cutText(text, room, words));
    room -= text.length;
  }
  return parts.join('\n\n');
}

/** A text of at most so many characters; what is cut is counted. */
function cutText(text: string, most: number, words: WordsOf<'mcp'>): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, Math.max(0, most)).replace(/[\uD800-\uDBFF]$/u, '');
  return `${kept}${words.mcp.cutPrompt(text.length - kept.length)}`;
}

/** With the id of a message, by which the next page is asked for. */
function formatWhole(entry: TranscriptEntry, transcript: Transcript): string {
  const lines = formatEntry(entry, transcript);
  return [...(entry.kind === 'message' ? [`<!-- ${entry.message.id} -->`] : []), ...lines].join('\n\n');
}

function nextMessage(entries: readonly TranscriptEntry[]): string | undefined {
  return entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message.id] : []))[0];
}

/** Lists the latest conversations of the folder. */
async function listConversations(serving: Serving): Promise<string> {
  const { folder, words } = serving.options;
  const { summaries } = await (await conversationsOf(serving)).list({ folder, limit: LISTED });
  if (summaries.length === 0) return words.mcp.noSessions;
  const lines = summaries.map(({ id, state, turns, title, changedAt }) => {
    const status = `${words.sessions.states[state]}, ${formatTime(changedAt)}`;
    return words.mcp.listed(id, status, turns, sanitizeToOneLine(title).slice(0, TITLE_CHARACTERS));
  });
  return [lines.join('\n'), words.mcp.listHint].join('\n\n');
}

/** The place of a message among what was said and done. `5` is short for `msg-5`. @throws {@link HuddleError} `UNKNOWN_MESSAGE`. */
function placeOfMessage(entries: readonly TranscriptEntry[], word: string): number {
  const messageId = /^\d+$/u.test(word) ? `msg-${word}` : word;
  const ids = entries.flatMap((entry) => (entry.kind === 'message' ? [entry.message.id] : []));
  const place = entries.findIndex((entry) => entry.kind === 'message' && entry.message.id === messageId);
  if (place !== -1) return place;
  throw new HuddleError('UNKNOWN_MESSAGE', { messageId, nearest: nearest(messageId, ids) });
}
