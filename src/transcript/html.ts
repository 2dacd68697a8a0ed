import { english } from '../catalogue/english.js';
import type { ExplainedTurn } from '../coordinator/explainTurn.js';
import type { MemberSummary } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import { splitAtCode } from './codeBlocks.js';
import { escapeHtml } from './escapeHtml.js';
import { PAGE_STYLE } from './htmlStyle.js';
import { createNames } from './markdown.js';
import type { ToolUse, Transcript, TranscriptEntry, TranscriptTurn } from './Transcript.js';
import {
  describePause,
  describePermission,
  describePrices,
  describeResult,
  draftOf,
  formatCount,
  formatDuration,
  formatSpent,
  formatTime,
  formatUsage,
} from './words.js';

export interface HtmlOptions {
  /** What was put into the prompts; see `explainTurns`. Without it the page has no prompt plans. */
  readonly plans?: ReadonlyMap<TurnId, Pick<ExplainedTurn, 'plan' | 'sent' | 'isExact'>>;
}

/** What every part of the page needs to know. */
interface Page {
  readonly members: readonly MemberSummary[];
  readonly nameOf: (memberId: string) => string;
  readonly plans: NonNullable<HtmlOptions['plans']>;
}

const HUES = 8;
const words = english.page;

/** One self-contained page: no script, nothing loaded, every text escaped. */
export function formatHtml(transcript: Transcript, { plans = new Map() }: HtmlOptions = {}): string {
  const { members, teamName, conversationId } = transcript;
  const page: Page = { members, plans, nameOf: createNames(members) };
  const title = escapeHtml(teamName || conversationId);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>${title}</h1>
${formatFacts(transcript)}
${formatMembers(page)}
</header>
<main>
${formatEntries(transcript, page)}
</main>
${formatLedger(transcript, page)}
</body>
</html>
`;
}

function formatFacts({ conversationId, isRehearsal, startedAt, endedAt }: Transcript): string {
  const end = dayOf(endedAt) === dayOf(startedAt) ? `${timeOf(endedAt)} UTC` : formatTime(endedAt);
  const facts = [
    conversationId,
    ...(isRehearsal ? [words.rehearsal] : []),
    `${formatTime(startedAt)} – ${end}`,
  ];
  return `<p class="facts">${facts.map(escapeHtml).join(' · ')}</p>`;
}

function formatMembers({ members }: Page): string {
  const items = members.map(({ name, title, agentType, type, permission }, index) => {
    const facts = [title, agentType ?? type, permission].filter((fact) => fact !== undefined).join(' · ');
    return `<li class="hue${index % HUES}"><b>${escapeHtml(name)}</b> ${escapeHtml(facts)}</li>`;
  });
  return `<ul class="members">${items.join('')}</ul>`;
}

/** The day is said once, before what was said on it. */
function formatEntries({ entries, startedAt }: Transcript, page: Page): string {
  let day = dayOf(startedAt);
  return entries
    .map((entry) => {
      const isNewDay = dayOf(entry.at) !== day;
      day = dayOf(entry.at);
      return (isNewDay ? `<p class="day">${escapeHtml(day)}</p>\n` : '') + formatEntry(entry, page);
    })
    .join('\n');
}

function formatEntry(entry: TranscriptEntry, page: Page): string {
  switch (entry.kind) {
    case 'message': {
      const { at, turn, message } = entry;
      const { id, speaker, routing, content } = message;
      const to = routing?.resolvedAddressees?.join(', ') ?? '';
      const heading = `<b>${escapeHtml(speaker.roleName)}</b>${to === '' ? '' : `<span>→ ${escapeHtml(to)}</span>`}`;
      return formatArticle(page, {
        id,
        speaker: speaker.roleId,
        heading,
        at,
        text: formatText(content),
        turn,
      });
    }
    case 'turn': {
      const { turn, at } = entry;
      const { turnId, memberId } = turn;
      const heading = `<b>${escapeHtml(page.nameOf(memberId))}</b><span>${escapeHtml(outcomeOf(turn))}</span>`;
      const text = formatFailure(turn) + formatDraft(turn);
      return formatArticle(page, { id: turnId, speaker: memberId, heading, at, text, turn });
    }
    case 'notice':
      return `<p class="notice">${escapeHtml(entry.text)}</p>`;
    case 'task':
      return `<section class="task"><h2>${words.task}</h2><pre class="text">${escapeHtml(entry.task ?? words.taskCleared)}</pre></section>`;
    case 'pause':
      return `<p class="notice">${escapeHtml(describePause(entry.reason))}</p>`;
  }
}

interface Article {
  readonly id: string;
  readonly speaker: string;
  readonly heading: string;
  readonly at: number;
  readonly text: string;
  readonly turn?: TranscriptTurn | undefined;
}

function formatArticle(page: Page, { id, speaker, heading, at, text, turn }: Article): string {
  const place = page.members.findIndex((member) => member.id === speaker);
  const hue = place < 0 ? '' : ` class="hue${place % HUES}"`;
  const time = `<time datetime="${escapeHtml(toIso(at))}" title="${escapeHtml(formatTime(at))}">${escapeHtml(timeOf(at))}</time>`;
  const more = turn === undefined ? '' : formatTools(turn, page) + formatPlan(turn, page) + formatCost(turn);
  return `<article id="${escapeHtml(id)}"${hue}><h2>${heading}${time}</h2>${text}${more}</article>`;
}

/** As it was said, but for the fences of code, which is set as code. */
function formatText(content: string): string {
  return splitAtCode(content)
    .map((part) => {
      if (part.kind === 'text') return `<pre class="text">${escapeHtml(part.text)}</pre>`;
      const language = part.language === '' ? '' : ` data-language="${escapeHtml(part.language)}"`;
      return `<pre class="code"${language}>${escapeHtml(part.text)}</pre>`;
    })
    .join('');
}

/** In one or two words; what else there is to a failure stands below. */
function outcomeOf({ result }: TranscriptTurn): string {
  return result.kind === 'failed' ? words.failed : describeResult(result);
}

function formatFailure({ result }: TranscriptTurn): string {
  if (result.kind !== 'failed') return '';
  const { message, hint } = result.failure;
  return `<p class="failure">${escapeHtml(message)}</p><p class="hint">${escapeHtml(hint)}</p>`;
}

function formatDraft({ result }: TranscriptTurn): string {
  const draft = draftOf(result);
  if (draft === '') return '';
  return `<p class="label">${escapeHtml(english.print.draft)}</p><div class="draft">${formatText(draft)}</div>`;
}

function formatTools({ tools, changedFiles, permissions }: TranscriptTurn, { nameOf }: Page): string {
  if (tools.length + changedFiles.length + permissions.length === 0) return '';
  const requests = permissions.map((use) => {
    const outcome = escapeHtml(describePermission(use, nameOf));
    return `<li>? <b>${escapeHtml(use.name)}</b> <code>${escapeHtml(use.input)}</code> ${outcome}</li>`;
  });
  const files = changedFiles.map((change) => `<li><code>${escapeHtml(change)}</code></li>`);
  const summary = [
    ...(requests.length > 0 ? [words.requests(requests.length)] : []),
    ...(tools.length > 0 ? [words.toolCalls(tools.length)] : []),
    ...(files.length > 0 ? [words.changedFiles(files.length)] : []),
  ].join(', ');
  const rows = [...requests, ...tools.map(formatTool), ...files];
  return `<details><summary>${summary}</summary><ul>${rows.join('')}</ul></details>`;
}

function formatTool({ name, input, ok, result }: ToolUse): string {
  const mark = ok === undefined ? '…' : ok ? '✓' : '<span class="failed">✗</span>';
  const answer = result ? `<pre>${escapeHtml(result)}</pre>` : '';
  return `<li>${mark} <b>${escapeHtml(name)}</b> <code>${escapeHtml(input)}</code>${answer}</li>`;
}

function formatPlan({ turnId }: TranscriptTurn, { plans }: Page): string {
  const explained = plans.get(turnId);
  if (explained === undefined) return '';
  const { plan, sent, isExact } = explained;
  const { heads, fates, sessions, cut, hash, notExact } = english.why;
  const sizes = Object.entries(plan.sections ?? {}).map(([name, bytes]) => `${name} ${formatCount(bytes)}`);
  const rows = plan.messages.map(({ first, last, count, fate }) => [
    first === last ? first : `${first} – ${last}`,
    formatCount(count),
    fates[fate],
  ]);
  return `<details><summary>${words.prompt(formatCount(sent.bytes), formatCount(plan.maxBytes))}</summary>
<p>${escapeHtml([sessions[sent.session], ...sizes].join(' · '))}</p>
${plan.cutBytes > 0 ? `<p>${escapeHtml(cut(plan.cutBytes))}</p>` : ''}${isExact ? '' : `<p>${escapeHtml(notExact)}</p>`}
${formatTable([{ head: heads.first }, { head: heads.count, isNumber: true }, { head: heads.fate }], rows)}
<p>${escapeHtml(hash(sent.sha256, isExact))}</p></details>`;
}

function formatCost({ turnId, milliseconds, usage }: TranscriptTurn): string {
  const facts = [turnId, formatDuration(milliseconds), ...(usage === undefined ? [] : [formatUsage(usage)])];
  return `<footer>${facts.map(escapeHtml).join(' · ')}</footer>`;
}

function formatLedger({ ledger }: Transcript, { nameOf }: Page): string {
  const { total, members } = ledger;
  if (total.turns === 0) return '';
  const { heads } = english.cost;
  const spendings = [
    ...members.map((row) => ({ ...row, name: nameOf(row.memberId) })),
    { ...total, name: heads.all },
  ];
  const rows = spendings.map((row) => [
    row.name,
    ...[row.turns, row.inputTokens, row.cachedInputTokens, row.outputTokens].map(formatCount),
    formatSpent(row),
    describePrices(row),
  ]);
  const numbers = [heads.turns, heads.input, heads.cached, heads.output, heads.money];
  const columns = [
    { head: heads.member },
    ...numbers.map((head) => ({ head, isNumber: true })),
    { head: heads.price },
  ];
  return `<details class="ledger"><summary>${words.ledger(total.turns, formatSpent(total))}</summary>
${formatTable(columns, rows, { hasSum: true })}</details>`;
}

interface Column {
  readonly head: string;
  readonly isNumber?: boolean;
}

function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { hasSum = false } = {},
): string {
  const formatRow = (cells: readonly string[], tag: 'td' | 'th'): string =>
    cells
      .map((cell, index) => {
        const number = columns[index]?.isNumber ? ' class="number"' : '';
        return `<${tag}${number}>${escapeHtml(cell)}</${tag}>`;
      })
      .join('');
  const head = formatRow(
    columns.map(({ head }) => head),
    'th',
  );
  const body = rows.map((cells, index) => {
    const isSum = hasSum && index === rows.length - 1;
    return `<tr${isSum ? ' class="sum"' : ''}>${formatRow(cells, 'td')}</tr>`;
  });
  return `<div class="table"><table><tr>${head}</tr>${body.join('')}</table></div>`;
}

/** `2026-11-15`. */
function dayOf(at: number): string {
  return formatTime(at).slice(0, 'YYYY-MM-DD'.length);
}

/** `02:12:09`; in UTC, as the head of the page says. */
function timeOf(at: number): string {
  return formatTime(at).split(' ')[1] ?? String(at);
}

function toIso(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
