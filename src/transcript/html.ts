import { formatSum, formatTime, formatZone, nameSection } from '../catalogue/formats.js';
import { subjectOf } from '../catalogue/permissionRequests.js';
import { describeNotice, describeOrigin, describePause } from '../catalogue/tellings.js';
import { words } from '../catalogue/words.js';
import type { ExplainedTurn } from '../coordinator/explainTurn.js';
import type { TurnId } from '../models/ids.js';
import type { ToldTurn, ToolCall } from '../presentation/Block.js';
import { type Column, costColumns, costRows } from '../presentation/cost.js';
import { describeRecord, draftOf, faultOf, nameAuthor } from '../presentation/describeTurn.js';
import { namesIn } from '../presentation/Telling.js';
import { formatNumber } from '../utils/formatNumber.js';
import { formatFiles } from './htmlFiles.js';
import { formatBlocks, PageColours, type TextReader } from './htmlMarkdown.js';
import { PAGE_STYLE } from './htmlStyle.js';
import { type Html, html } from './htmlTemplate.js';
import { costOf, factsOf, type Transcript, type TranscriptEntry } from './Transcript.js';

export interface HtmlOptions {
  /** The contents of the prompts; see `explainTurns`. Without it the page has no prompt plans. */
  readonly plans?: ReadonlyMap<TurnId, Pick<ExplainedTurn, 'plan' | 'sent' | 'isExact'>>;
}

/** The conversation, what explains its prompts, and what reads its texts. */
type Page = Transcript & Required<HtmlOptions> & TextReader;

const CODE = /`{3}|~{3}/u;

const HUES = 8;
const NOTHING = html``;

/**
 * Formats a conversation as one HTML page: no script, nothing loaded, every value escaped.
 *
 * @param transcript From `createTranscript`.
 *
 * @example
 * ```ts
 * const reader = await store.read(id);
 * await writeFile('conversation.html', await formatHtml(await createTranscript(reader.read())));
 * ```
 */
export async function formatHtml(
  transcript: Transcript,
  { plans = new Map() }: HtmlOptions = {},
): Promise<string> {
  const page: Page = { ...transcript, plans, ...(await loadReader(transcript)) };
  const title = page.teamName || page.conversationId;
  return String(html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>${title}</h1>
${formatFacts(page)}
${formatMembers(page)}
</header>
<main>
${formatEntries(page)}
</main>
${formatUsed(page)}
</body>
</html>
`);
}

/** Loads what a page needs when there is one to write, and colours for code only if there is code. */
async function loadReader({ entries }: Transcript): Promise<TextReader> {
  const { parseMarkdown } = await import('../markdown/parseMarkdown.js');
  if (!entries.some((entry) => CODE.test(textIn(entry)))) return { parseMarkdown };
  const { highlightCode } = await import('../markdown/highlightCode.js');
  const colours = new PageColours(highlightCode);
  return { parseMarkdown, highlightCode: (text, language) => colours.highlight(text, language) };
}

/** The Markdown of an entry. */
function textIn(entry: TranscriptEntry): string {
  switch (entry.kind) {
    case 'message':
      return entry.text;
    case 'turn':
      return draftOf(entry.turn);
    case 'task':
      return entry.task ?? words.telling.taskCleared;
    default:
      return '';
  }
}

function formatFacts({ conversationId, isRehearsal, startedAt, endedAt }: Page): Html {
  const end = dayOf(endedAt) === dayOf(startedAt) ? timeOf(endedAt) : formatTime(endedAt);
  const facts = [
    conversationId,
    ...(isRehearsal ? [words.page.rehearsal] : []),
    `${formatTime(startedAt)} – ${end} ${formatZone(startedAt)}`,
  ];
  return html`<p class="facts">${facts.join(' · ')}</p>`;
}

function formatMembers({ members }: Page): Html {
  const items = members.map(
    (member, index) =>
      html`<li class="hue${index % HUES}"><b>${member.name}</b> ${factsOf(member).join(' · ')}</li>`,
  );
  return html`<ul class="members">${items}</ul>`;
}

/** The entries, with a day before the first entry of that day. */
function formatEntries(page: Page): Html {
  let day = dayOf(page.startedAt);
  const lines = page.entries.flatMap((entry) => {
    const isNewDay = dayOf(entry.at) !== day;
    day = dayOf(entry.at);
    return [...(isNewDay ? [html`<p class="day">${day}</p>`] : []), formatEntry(entry, page)];
  });
  return html`${lines.flatMap((line, index) => (index === 0 ? [line] : ['\n', line]))}`;
}

function formatEntry(entry: TranscriptEntry, page: Page): Html {
  switch (entry.kind) {
    case 'message': {
      const { id, speaker, routing } = entry.message;
      const to = words.joining.list(routing?.resolvedAddressees ?? []);
      const heading = html`<b>${nameAuthor(entry.member, words).name}</b>${to === '' ? NOTHING : html`<span>→ ${to}</span>`}`;
      return formatArticle(page, {
        ...entry,
        id,
        speaker: speaker.roleId,
        heading,
        text: formatText(textIn(entry), page),
      });
    }
    case 'turn': {
      const { turnId, member, result } = entry.turn;
      const heading = html`<b>${member.name}</b><span>${words.telling.outcomes[result.kind]}</span>`;
      const text = html`${formatFault(entry.turn)}${formatDraft(textIn(entry), page)}`;
      return formatArticle(page, { ...entry, id: turnId, speaker: member.id, heading, text });
    }
    case 'notice':
      return html`<p class="notice">${describeNotice(entry.notice, namesIn(page))}</p>`;
    case 'task':
      return html`<section class="task"><h2>${words.telling.task}</h2>${formatText(textIn(entry), page)}</section>`;
    case 'fork':
      return html`<p class="notice">${describeOrigin(entry.fork)}</p>`;
    case 'pause':
      return html`<p class="notice">${describePause(entry.reason)}</p>`;
    case 'files': {
      const [turn] = entry.turns;
      return formatFiles(entry, hueOf(page, (turn?.member ?? entry.person)?.id));
    }
    case 'open-turn':
      return html`<p class="notice">${words.sessionStatus.exported(entry.turnId, entry.member.name)}</p>`;
  }
}

interface Article {
  readonly id: string;
  readonly speaker: string;
  readonly heading: Html;
  readonly at: number;
  readonly text: Html;
  readonly turn?: ToldTurn | undefined;
}

function formatArticle(page: Page, { id, speaker, heading, at, text, turn }: Article): Html {
  const hue = hueOf(page, speaker).map((name) => html` class="${name}"`);
  const time = html`<time datetime="${toIso(at)}" title="${formatTime(at)}">${timeOf(at)}</time>`;
  const cost = turn && html`<footer>${costOf(turn).join(' · ')}</footer>`;
  const more = turn === undefined ? [] : [formatTools(turn), formatPlan(turn, page), cost];
  return html`<article id="${id}"${hue}><h2>${heading}${time}</h2>${text}${more}</article>`;
}

/** The colour of a member; none for those who are not of the team. */
function hueOf({ members }: Page, memberId: string | undefined): readonly string[] {
  const place = members.findIndex(({ id }) => id === memberId);
  return place < 0 ? [] : [`hue${place % HUES}`];
}

function formatText(text: string, page: Page): Html {
  const blocks = page.parseMarkdown(text);
  return blocks.length === 0 ? NOTHING : html`<div class="text">${formatBlocks(blocks, page)}</div>`;
}

function formatFault(turn: ToldTurn): Html {
  const [what, hint] = faultOf(turn, words);
  return what === undefined ? NOTHING : html`<p class="failure">${what}</p><p class="hint">${hint}</p>`;
}

function formatDraft(draft: string, page: Page): Html {
  if (draft === '') return NOTHING;
  return html`<p class="label">${words.telling.draft}</p><div class="draft">${formatText(draft, page)}</div>`;
}

function formatTools({ tools, files: changes, permissions }: ToldTurn): Html {
  if (tools.length + changes.length + permissions.length === 0) return NOTHING;
  const requests = permissions.map(
    (request) =>
      html`<li>? <b>${request.name}</b> <code>${subjectOf(request)}</code> ${describeRecord(request, words)}</li>`,
  );
  const files = changes.map(
    ({ change, path }) => html`<li><code>${words.telling.fileChange[change]} ${path}</code></li>`,
  );
  const summary = [
    ...(requests.length > 0 ? [words.page.requests(requests.length)] : []),
    ...(tools.length > 0 ? [words.page.toolCalls(tools.length)] : []),
    ...(files.length > 0 ? [words.page.changedFiles(files.length)] : []),
  ];
  const rows = [...requests, ...tools.map(formatTool), ...files];
  return html`<details><summary>${words.joining.facts(summary)}</summary><ul>${rows}</ul></details>`;
}

function formatTool({ name, input, ok, result }: ToolCall): Html {
  const mark = ok === undefined ? '…' : ok ? '✓' : html`<span class="failed">✗</span>`;
  const answer = result ? html`<pre>${result}</pre>` : NOTHING;
  return html`<li>${mark} <b>${name}</b> <code>${input}</code>${answer}</li>`;
}

function formatPlan({ turnId }: ToldTurn, { plans }: Page): Html {
  const explained = plans.get(turnId);
  if (explained === undefined) return NOTHING;
  const { plan, sent, isExact } = explained;
  const { heads, inclusions, sessions, cut, hash, notExact } = words.why;
  const sizes = Object.entries(plan.sections ?? {}).map(
    ([name, bytes]) => `${nameSection(name)} ${formatNumber(bytes)}`,
  );
  const rows = plan.messages.map(({ first, last, count, inclusion }) => [
    first === last ? first : `${first} – ${last}`,
    formatNumber(count),
    inclusions[inclusion],
  ]);
  return html`<details><summary>${words.page.prompt(formatNumber(sent.bytes), formatNumber(plan.maxBytes))}</summary>
<p>${[sessions[sent.session], ...sizes].join(' · ')}</p>
${plan.cutBytes > 0 ? html`<p>${cut(plan.cutBytes)}</p>` : NOTHING}${isExact ? NOTHING : html`<p>${notExact}</p>`}
${formatTable([{ head: heads.first }, { head: heads.count, isNumber: true }, { head: heads.inclusion }], rows)}
<p>${hash(sent.sha256, isExact)}</p></details>`;
}

function formatUsed(page: Page): Html {
  const { total } = page.usage;
  if (total.turns === 0) return NOTHING;
  const rows = costRows(page.usage, namesIn(page), words);
  return html`<details class="usage"><summary>${words.page.usageOf(total.turns, formatSum(total))}</summary>
${formatTable(costColumns(words), rows, { hasSum: true })}</details>`;
}

function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { hasSum = false } = {},
): Html {
  const classOf = (index: number) => (columns[index]?.isNumber ? html` class="number"` : NOTHING);
  const head = columns.map((column, index) => html`<th${classOf(index)}>${column.head}</th>`);
  const body = rows.map((cells, row) => {
    const isSum = hasSum && row === rows.length - 1;
    const data = cells.map((cell, index) => html`<td${classOf(index)}>${cell}</td>`);
    return html`<tr${isSum ? html` class="sum"` : NOTHING}>${data}</tr>`;
  });
  return html`<div class="table"><table><tr>${head}</tr>${body}</table></div>`;
}

/** `2026-11-15`. */
function dayOf(at: number): string {
  return formatTime(at).slice(0, 'YYYY-MM-DD'.length);
}

/** `02:12:09`, in the time zone that the head of the page names. */
function timeOf(at: number): string {
  return formatTime(at).split(' ')[1] ?? String(at);
}

function toIso(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
