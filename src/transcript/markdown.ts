import { formatTime, formatZone } from '../catalogue/formats.js';
import { subjectOf } from '../catalogue/permissionRequests.js';
import { describeNotice, describeOrigin, describePause } from '../catalogue/tellings.js';
import { words } from '../catalogue/words.js';
import type { FilesBlock, ToldTurn } from '../presentation/Block.js';
import { costColumns, costRows } from '../presentation/cost.js';
import {
  describeFileRecord,
  describeOthers,
  formatCounts,
  headFiles,
} from '../presentation/describeFileRecord.js';
import { describeRecord, draftOf, faultOf, nameAuthor } from '../presentation/describeTurn.js';
import { namesIn } from '../presentation/Telling.js';
import { escapeMarkdown, formatCode, quoteCode, quoteMarkdown } from './quoteMarkdown.js';
import { costOf, factsOf, type Transcript, type TranscriptEntry } from './Transcript.js';

/**
 * Formats a conversation as Markdown. Messages are quoted: everything outside of quotes is Huddle's.
 *
 * @param transcript From `createTranscript`.
 *
 * @example
 * ```ts
 * console.log(formatMarkdown(await createTranscript(conversation.history())));
 * ```
 */
export function formatMarkdown(transcript: Transcript): string {
  const blocks = [
    formatOpening(transcript),
    ...transcript.entries.flatMap((entry) => formatEntry(entry, transcript)),
    ...formatUsed(transcript),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** The title of a conversation, and who took part in it. */
export function formatOpening(transcript: Transcript): string {
  const { conversationId, teamName, startedAt, endedAt, members, isRehearsal } = transcript;
  const names = members.map((member) => words.joining.described(member.name, factsOf(member)));
  const id = escapeMarkdown(conversationId);
  return [
    `# ${escapeMarkdown(teamName || conversationId)}`,
    [
      `- ${words.joining.labelled(words.page.conversation, isRehearsal ? words.joining.described(id, [words.page.rehearsal]) : id)}`,
      `- ${words.page.fromTo(formatTime(startedAt), formatTime(endedAt), formatZone(startedAt))}`,
      `- ${words.joining.labelled(words.page.members, words.joining.list(names.map(escapeMarkdown)))}`,
    ].join('\n'),
  ].join('\n\n');
}

/** A part of a conversation, in paragraphs. */
export function formatEntry(entry: TranscriptEntry, transcript: Transcript): string[] {
  switch (entry.kind) {
    case 'message': {
      const { routing, content } = entry.message;
      const to = words.joining.list(routing?.resolvedAddressees ?? []);
      const who = `${nameAuthor(entry.member, words).name}${to ? ` → ${to}` : ''}`;
      return [formatHeading(who, entry.at), ...formatTurn(entry.turn, [quoteMarkdown(content)])];
    }
    case 'turn': {
      const { turn, at } = entry;
      const draft = draftOf(turn);
      const text = [
        ...faultOf(turn, words).map(escapeMarkdown),
        ...(draft === '' ? [] : [quoteMarkdown(draft)]),
      ];
      const outcome = `${turn.member.name} · ${words.telling.outcomes[turn.result.kind]}`;
      return [formatHeading(outcome, at), ...formatTurn(turn, text)];
    }
    case 'notice':
      return [`*${escapeMarkdown(describeNotice(entry.notice, namesIn(transcript)))}*`];
    case 'task':
      return entry.task === null
        ? [`*${words.joining.labelled(words.telling.task, words.telling.taskCleared)}*`]
        : [`*${words.joining.heading(words.telling.task)}*`, quoteMarkdown(entry.task)];
    case 'fork':
      return [`*${escapeMarkdown(describeOrigin(entry.fork))}*`];
    case 'pause':
      return [`*${describePause(entry.reason)}*`];
    case 'files':
      return formatFiles(entry);
    case 'open-turn':
      return [`*${escapeMarkdown(words.sessionStatus.exported(entry.turnId, entry.member.name))}*`];
  }
}

function formatHeading(title: string, at: number): string {
  return `## ${escapeMarkdown(title)} · ${formatTime(at)}`;
}

/** The work of a turn, its words, and its cost. */
function formatTurn(turn: ToldTurn | undefined, text: readonly string[]): readonly string[] {
  if (turn === undefined) return text;
  const permissions = turn.permissions.map((request) => {
    const [name = '', decision = ''] = [request.name, describeRecord(request, words)].map(escapeMarkdown);
    return `- ${words.page.askedFor(name, formatCode(subjectOf(request)), decision)}`;
  });
  const tools = turn.tools.map(
    ({ name, input, ok }) => `- ${words.page.tool(escapeMarkdown(name), formatCode(input), ok === false)}`,
  );
  const files = turn.files.map(
    ({ change, path }) => `- ${formatCode(`${words.telling.fileChange[change]} ${path}`)}`,
  );
  const work = [...permissions, ...tools, ...files];
  const cost = `<sub>${words.joining.facts(costOf(turn).map(escapeMarkdown))}</sub>`;
  return [...(work.length === 0 ? [] : [work.join('\n')]), ...text, cost];
}

const MOST_FILES = 100;

/** Files that changed: a list, and the lines folded away. */
function formatFiles(block: FilesBlock): string[] {
  const { patch = '', patchIsCut } = block.record;
  const { diff, diffIsCut } = words.fileRecords;
  const others = patch === '' ? describeOthers(block, words) : undefined;
  if (others !== undefined) return [`*${escapeMarkdown(others)}*`];
  const shown = describeFileRecord(block, { most: MOST_FILES }, words);
  const head = [headFiles(shown), formatCounts(shown.counts)].filter((part) => part !== '').join(' ');
  const rows = shown.rows.map(({ mark, path, counts }) =>
    `- ${mark} ${formatCode(path)} ${formatCounts(counts)}`.trimEnd(),
  );
  const notes = shown.notes.map((note) => `- ${escapeMarkdown(note)}`);
  const lines = [`<details><summary>${diff}</summary>`, quoteCode(patch.trimEnd(), 'diff'), '</details>'];
  return [
    `**${escapeMarkdown(head)}**`,
    ...(rows.length + notes.length > 0 ? [[...rows, ...notes].join('\n')] : []),
    ...(patch === '' ? [] : lines),
    ...(patchIsCut ? [`*${diffIsCut}*`] : []),
  ];
}

function formatUsed(transcript: Transcript): string[] {
  const { usage } = transcript;
  const columns = costColumns(words);
  if (usage.total.turns === 0) return [];
  const rows = [
    columns.map(({ head }) => head),
    columns.map(({ isNumber }) => (isNumber ? '--:' : '---')),
    ...costRows(usage, namesIn(transcript), words).map((row) => row.map(escapeMarkdown)),
  ];
  return [`## ${words.page.usage}`, rows.map((row) => `| ${row.join(' | ')} |`).join('\n')];
}
