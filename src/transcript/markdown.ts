import type { MemberSummary } from '../models/ConversationEvent.js';
import { escapeMarkdown, formatCode, quoteMarkdown } from './quoteMarkdown.js';
import type { Transcript, TranscriptEntry, TranscriptTurn } from './Transcript.js';
import {
  describePause,
  describePermission,
  describePrices,
  describeResult,
  draftOf,
  formatSpent,
  formatTime,
  formatTurnTime,
  formatUsage,
} from './words.js';

/** A conversation as Markdown. What was said is quoted: everything outside of quotes is ours. */
export function formatMarkdown(transcript: Transcript): string {
  const { conversationId, teamName, startedAt, endedAt, members, isRehearsal, entries } = transcript;
  const nameOf = createNames(members);
  const blocks = [
    `# ${escapeMarkdown(teamName || conversationId)}`,
    [
      `- Conversation: ${escapeMarkdown(conversationId)}${isRehearsal ? ' (rehearsal)' : ''}`,
      `- From ${formatTime(startedAt)} to ${formatTime(endedAt)}`,
      `- Members: ${members.map(describeMember).map(escapeMarkdown).join(', ')}`,
    ].join('\n'),
    ...entries.flatMap((entry) => formatEntry(entry, nameOf)),
    ...formatUsageTable(transcript, nameOf),
  ];
  return `${blocks.join('\n\n')}\n`;
}

type Names = (memberId: string) => string;

export function createNames(members: readonly MemberSummary[]): Names {
  const names = new Map<string, string>(members.map(({ id, name }) => [id, name]));
  return (memberId) => names.get(memberId) ?? memberId;
}

function describeMember({ name, title, agentType }: MemberSummary): string {
  const facts = [title, agentType].filter((fact) => fact !== undefined).join(', ');
  return facts === '' ? name : `${name} (${facts})`;
}

function formatEntry(entry: TranscriptEntry, nameOf: Names): string[] {
  switch (entry.kind) {
    case 'message': {
      const { speaker, routing, content } = entry.message;
      const to = routing?.resolvedAddressees?.join(', ');
      const heading = `## ${escapeMarkdown(`${speaker.roleName}${to ? ` → ${to}` : ''}`)} · ${formatTime(entry.at)}`;
      return [heading, ...formatDeeds(entry.turn, nameOf), quoteMarkdown(content), ...formatCost(entry.turn)];
    }
    case 'turn': {
      const { turn, at } = entry;
      const draft = draftOf(turn.result);
      return [
        `## ${escapeMarkdown(`${nameOf(turn.memberId)} ${describeResult(turn.result)}`)} · ${formatTime(at)}`,
        ...formatDeeds(turn, nameOf),
        ...(draft === '' ? [] : [quoteMarkdown(draft)]),
        ...formatCost(turn),
      ];
    }
    case 'notice':
      return [`*${escapeMarkdown(entry.text)}*`];
    case 'task':
      return [
        entry.task === null ? '*The team task was cleared.*' : `*Team task:*\n\n${quoteMarkdown(entry.task)}`,
      ];
    case 'pause':
      return [`*${describePause(entry.reason)}*`];
  }
}

function formatDeeds(turn: TranscriptTurn | undefined, nameOf: Names): string[] {
  if (turn === undefined) return [];
  const permissions = turn.permissions.map(
    (use) =>
      `- asked permission for ${escapeMarkdown(use.name)}: ${formatCode(use.input)} (${escapeMarkdown(describePermission(use, nameOf))})`,
  );
  const tools = turn.tools.map(
    ({ name, input, ok }) =>
      `- ${escapeMarkdown(name)}: ${formatCode(input)}${ok === false ? ' (failed)' : ''}`,
  );
  const files = turn.changedFiles.map((change) => `- ${formatCode(change)}`);
  const deeds = [...permissions, ...tools, ...files];
  return deeds.length === 0 ? [] : [deeds.join('\n')];
}

function formatCost(turn: TranscriptTurn | undefined): string[] {
  if (turn === undefined) return [];
  const usage = turn.usage === undefined ? '' : `, ${formatUsage(turn.usage)}`;
  return [`<sub>${escapeMarkdown(turn.turnId)}, ${formatTurnTime(turn.milliseconds)}${usage}</sub>`];
}

function formatUsageTable({ usage }: Transcript, nameOf: Names): string[] {
  if (usage.total.turns === 0) return [];
  const rows = [
    ...usage.members.map((row) => ({ ...row, name: nameOf(row.memberId) })),
    { ...usage.total, name: 'all' },
  ];
  return [
    '## Usage',
    [
      '| member | turns | tokens in | cached | tokens out | cost | prices |',
      '|---|--:|--:|--:|--:|--:|---|',
      ...rows.map(
        (row) =>
          `| ${escapeMarkdown(row.name)} | ${row.turns} | ${row.inputTokens} | ${row.cachedInputTokens} | ${row.outputTokens} | ${formatSpent(row)} | ${describePrices(row)} |`,
      ),
    ].join('\n'),
  ];
}
