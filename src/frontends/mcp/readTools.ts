import { words } from '../../catalogue/words.js';
import { listUsage, summarizeUsage } from '../../conversation/usage.js';
import type { Conversations, ReadConversation } from '../../coordinator/Conversations.js';
import { explainUnpriced, findUnpriced } from '../../presentation/cost.js';
import { toArray } from '../../utils/AnyIterable.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import { formatCost } from '../lines/formatCost.js';
import { explainNamedTurn, formatWhy, readMemberNames } from '../lines/formatWhy.js';
import type { Reply } from './McpCall.js';
import type { Given } from './parameters.js';
import { cutText, listConversations, readPage } from './reading/readConversation.js';
import type { Serving } from './Serving.js';
import type { TOOL_PARAMETERS } from './toolParameters.js';

/** Characters that a tool gives if no one says how many: Codex shows a model 10,000 tokens. */
const DEFAULT_CHARACTERS = 30_000;

/** Reads a conversation as Markdown, or lists those of the folder. */
export async function readConversation(
  {
    session,
    from,
    max_characters: maxCharacters = DEFAULT_CHARACTERS,
  }: Given<typeof TOOL_PARAMETERS.read_conversation>,
  serving: Serving,
): Promise<Reply> {
  if (session === undefined)
    return { text: await listConversations(await conversationsOf(serving), serving.options.folder) };
  return withConversation(session, serving, ({ reader }) => readPage(reader.read(), { from, maxCharacters }));
}

/** Shows what a member was sent in a turn: what `huddle why` shows. */
export function explainTurnOf(
  { session, turn, prompt = false }: Given<typeof TOOL_PARAMETERS.explain_turn>,
  serving: Serving,
): Promise<Reply> {
  return withConversation(session, serving, (conversation) =>
    explain(conversation, turn, prompt ? { most: DEFAULT_CHARACTERS } : undefined),
  );
}

/** The plan of a turn, and its prompt if it is wanted. */
export async function explain(
  { reader }: ReadConversation,
  turn: string,
  prompt: { readonly most: number } | undefined,
): Promise<string> {
  const explained = await explainNamedTurn(() => reader.read(), turn, words);
  const { output, isExact } = explained;
  const plan = formatWhy(explained, await readMemberNames(reader.read(1, 1)), words);
  const parts = [...(isExact ? [] : [words.why.notExact]), plan];
  if (prompt === undefined) return parts.join('\n');
  const { systemPrompt, asPrompt } = words.print;
  const { systemFlag, prompt: text } = output;
  const sent = systemFlag === undefined ? text : `${systemPrompt}\n${systemFlag}\n\n${asPrompt}\n${text}`;
  return [...parts, '', cutText(sanitizeForTerminal(sent), prompt.most)].join('\n');
}

/** Shows tokens and money: what `huddle cost` shows. */
export function showCost(
  { session }: Given<typeof TOOL_PARAMETERS.conversation_cost>,
  serving: Serving,
): Promise<Reply> {
  return withConversation(session, serving, async ({ reader, summary }) => {
    const entries = await listUsage(reader.read());
    if (entries.length === 0) return words.cost.nothing(summary.id);
    const [start] = await toArray(reader.read(1, 1));
    const members = start?.type === 'conversation-start' ? start.team.members : [];
    const unpriced = summary.isRehearsal ? [] : findUnpriced(summarizeUsage(entries), members);
    const nameOf = await readMemberNames(reader.read(1, 1));
    return [formatCost(entries, nameOf, words), ...explainUnpriced(unpriced).map(sanitizeToOneLine)].join(
      '\n',
    );
  });
}

async function conversationsOf(serving: Serving): Promise<Conversations> {
  return (await serving.asks()).conversations();
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
