import type { MemberSummary } from '../models/ConversationEvent.js';
import { closeCode } from './codeBlocks.js';
import type { Transcript, TranscriptEntry, TranscriptTurn } from './Transcript.js';
import {
  describePause,
  describePermission,
  describePrices,
  describeResult,
  draftOf,
  formatDuration,
  formatSpent,
  formatTime,
  formatUsage,
} from './words.js';

/** A conversation as Markdown. Messages go in as they were said; code that one leaves open ends with it. */
export function formatMarkdown(transcript: Transcript): string {
  const { conversationId, teamName, startedAt, endedAt, members, isRehearsal, entries } = transcript;
  const nameOf = createNames(members);
  const blocks = [
    `# ${teamName || conversationId}`,
    [
      `- Conversation: ${conversationId}${isRehearsal ? ' (rehearsal)' : ''}`,
      `- From ${formatTime(startedAt)} to ${formatTime(endedAt)}`,
      `- Members: ${members.map(describeMember).join(', ')}`,
    ].join('\n'),
    ...entries.flatMap((entry) => formatEntry(entry, nameOf)),
    ...formatLedger(transcript, nameOf),
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
      const heading = `## ${speaker.roleName}${to ? ` → ${to}` : ''} · ${formatTime(entry.at)}`;
      return [
        heading,
        ...formatDeeds(entry.turn, nameOf),
        closeCode(content.trimEnd()),
        ...formatCost(entry.turn),
      ];
    }
    case 'turn': {
      const { turn, at } = entry;
      const draft = draftOf(turn.result);
      return [
        `## ${nameOf(turn.memberId)} ${describeResult(turn.result)} · ${formatTime(at)}`,
        ...formatDeeds(turn, nameOf),
        ...(draft === '' ? [] : [quote(draft)]),
        ...formatCost(turn),
      ];
    }
    case 'notice':
      return [`*${entry.text}*`];
    case 'task':
      return [entry.task === null ? '*The team task was cleared.*' : `*Team task:*\n\n${quote(entry.task)}`];
    case 'pause':
      return [`*${describePause(entry.reason)}*`];
  }
}

function formatDeeds(turn: TranscriptTurn | undefined, nameOf: Names): string[] {
  if (turn === undefined) return [];
  const permissions = turn.permissions.map(
    (use) => `- asked permission for ${use.name}: ${code(use.input)} (${describePermission(use, nameOf)})`,
  );
  const tools = turn.tools.map(
    ({ name, input, ok }) => `- ${name}: ${code(input)}${ok === false ? ' (failed)' : ''}`,
  );
  const files = turn.changedFiles.map((change) => `- ${code(change)}`);
  const deeds = [...permissions, ...tools, ...files];
  return deeds.length === 0 ? [] : [deeds.join('\n')];
}

function formatCost(turn: TranscriptTurn | undefined): string[] {
  if (turn === undefined) return [];
  const usage = turn.usage === undefined ? '' : `, ${formatUsage(turn.usage)}`;
  return [`<sub>${turn.turnId}, ${formatDuration(turn.milliseconds)}${usage}</sub>`];
}

function formatLedger({ ledger }: Transcript, nameOf: Names): string[] {
  if (ledger.total.turns === 0) return [];
  const rows = [
    ...ledger.members.map((row) => ({ ...row, name: nameOf(row.memberId) })),
    { ...ledger.total, name: 'all' },
  ];
  return [
    '## Ledger',
    [
      '| member | turns | tokens in | cached | tokens out | cost | prices |',
      '|---|--:|--:|--:|--:|--:|---|',
      ...rows.map(
        (row) =>
          `| ${row.name} | ${row.turns} | ${row.inputTokens} | ${row.cachedInputTokens} | ${row.outputTokens} | ${formatSpent(row)} | ${describePrices(row)} |`,
      ),
    ].join('\n'),
  ];
}

function quote(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

/** Between more backticks than the text has in a row. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
