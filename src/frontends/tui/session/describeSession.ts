import { formatCount, formatMoney } from '../../../catalogue/formats.js';
import { memberKind, rightsOf } from '../../../catalogue/members.js';
import type { Catalogue } from '../../../catalogue/words.js';
import { listUsage, splitUsage } from '../../../conversation/usage.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import { findAgentType } from '../../../models/AgentConfig.js';
import type { Member, Team } from '../../../models/Team.js';
import { costColumns, costRows, explainUnpriced, findUnpriced } from '../../../presentation/cost.js';
import { isOpen } from '../../../presentation/LiveTurn.js';
import { note, type Paragraph } from '../../../presentation/Paragraph.js';
import { memberOf, namesIn } from '../../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { formatTable } from '../../lines/formatTable.js';
import type { Screen } from '../screen/Screen.js';
import type { CommandContext } from './CommandContext.js';
import { describeStore } from './introduction.js';

const SEPARATOR = ' · ';

type Entry = readonly [word: string, meaning: string];

/** All about the session: where it is, who is in it, what it has used. */
export async function describeSession(context: CommandContext): Promise<Paragraph> {
  const { conversation, options } = context;
  const { words } = options;
  const { id, team } = conversation;
  const { heads, title, queueEmpty } = words.terminal.session;
  const facts = await options.about?.();
  const screen = context.screen();
  const queue = screen.conversation.queue.map(({ memberId }) => namesIn(screen)(memberId));
  const entries: readonly Entry[] = [
    [heads.session, join([id, facts?.title])],
    [heads.store, join([facts?.store, ...describeStore(conversation.presence, words)])],
    [heads.folder, options.folder ?? ''],
    [heads.team, join([team.name, facts?.teamFile])],
    ...team.members.map(
      (member): Entry => [member.name, join([...factsOf(member, words), stateOf(member, screen, words)])],
    ),
    [heads.queue, queue.length === 0 ? queueEmpty : queue.join(', ')],
    [heads.limits, join(describeLimits(screen, words))],
    [heads.cost, describeSpent(screen, words)],
    [heads.data, facts?.dataFolder ?? ''],
    [heads.version, facts?.version ?? ''],
  ];
  return { kind: 'entries', sections: [{ title, entries: entries.filter(([, meaning]) => meaning !== '') }] };
}

/** The model of every agent, and how to change it. */
export function describeModels(team: Team, words: Catalogue): Paragraph[] {
  const entries = team.members
    .filter(({ type }) => type === 'ai')
    .map((member): Entry => [member.name, join([memberKind(member, words), ...modelOf(member, words)])]);
  return [
    { kind: 'entries', sections: [{ title: words.terminal.models, entries }] },
    note(words.terminal.changeModel),
  ];
}

function factsOf(member: Member, words: Catalogue): readonly string[] {
  return [memberKind(member, words), ...rightsOf(member, words), ...modelOf(member, words)];
}

/** A command has no model. */
function modelOf(member: Member, words: Catalogue): readonly string[] {
  if (member.type === 'human' || findAgentType(member.agentType)?.reports === 'nothing') return [];
  return [member.model ?? words.terminal.defaultModel];
}

function stateOf({ id, type }: Member, { turns, conversation }: Screen, words: Catalogue): string {
  const { idle, queued, working, waiting } = words.terminal.session.states;
  if (type === 'human') return '';
  const turn = turns.find(({ member, ended }) => member.id === id && ended === undefined);
  if (turn !== undefined) return turn.permissions.some(isOpen) ? waiting : working;
  return conversation.queue.some(({ memberId }) => memberId === id) ? queued : idle;
}

function describeLimits({ limits, conversation, isRehearsal }: Screen, words: Catalogue): readonly string[] {
  const { turns: counted, usd, tokens } = conversation.counters;
  const { turns, ofCap } = words.terminal.status;
  return [
    turns(counted.count, limits.agentTurns),
    ...(limits.usd === undefined || isRehearsal
      ? []
      : [ofCap(formatMoney(usd, words), formatMoney(limits.usd, words))]),
    ...(limits.tokens === undefined || isRehearsal
      ? []
      : [words.telling.tokens(ofCap(formatCount(tokens), formatCount(limits.tokens)))]),
  ];
}

/** The sum of what was reported; `/cost` has the rest. */
function describeSpent({ conversation, members, isRehearsal }: Screen, words: Catalogue): string {
  const { turns, inputTokens, outputTokens, usd } = conversation.usage.total;
  if (isRehearsal) return words.terminal.dryRunCost;
  if (turns === 0) return words.terminal.nothingSpent;
  const unpriced = findUnpriced(conversation.usage, members).map(({ name }) => name);
  return join([
    usd > 0 ? formatMoney(usd, words) : '',
    words.telling.tokens(formatCount(inputTokens + outputTokens)),
    unpriced.length > 0 ? words.terminal.status.unpriced(unpriced) : '',
  ]);
}

function join(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(SEPARATOR);
}

/** The cost, by member and in total, and whose turns reported nothing. */
export async function summarizeCost(
  screen: Screen,
  conversation: Pick<Conversation, 'history'>,
  words: Catalogue,
): Promise<Paragraph[]> {
  if (screen.isRehearsal) return [note(words.terminal.dryRunCost)];
  const { usage } = screen.conversation;
  const fork = splitUsage(await listUsage(conversation.history()));
  const cells = costRows(usage, namesIn(screen), words, fork).map((row) => row.map(sanitizeToOneLine));
  const advice = explainUnpriced(findUnpriced(usage, screen.members), words).map(sanitizeToOneLine);
  const table = [formatTable(costColumns(words), cells), ...advice].join('\n');
  const unreported = await countUnreported(screen, conversation);
  const paragraphs: Paragraph[] = [
    ...(usage.total.turns === 0
      ? []
      : [{ kind: 'details', title: words.terminal.cost, text: table } as const]),
    ...(unreported.length === 0 ? [] : [note(words.terminal.unreported(unreported))]),
  ];
  return paragraphs.length === 0 ? [note(words.terminal.nothingSpent)] : paragraphs;
}

/** The turns that ended without usage data, by member. */
async function countUnreported(
  screen: Screen,
  conversation: Pick<Conversation, 'history'>,
): Promise<ReadonlyArray<readonly [name: string, turns: number]>> {
  const counts = new Map<string, number>();
  for await (const event of conversation.history()) {
    if (event.type !== 'turn-end' || event.usage !== undefined) continue;
    const { name } = memberOf(screen, event.memberId);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts];
}
