import type { ExplainedTurn } from '../coordinator/explainTurn.js';
import type { MemberSummary } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import { escapeHtml } from './escapeHtml.js';
import { PAGE_STYLE } from './htmlStyle.js';
import { createNames } from './markdown.js';
import type { Transcript, TranscriptEntry, TranscriptTurn } from './Transcript.js';
import {
  describePause,
  describePermission,
  describePrices,
  describeResult,
  draftOf,
  formatDuration,
  formatMoney,
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
${transcript.entries.map((entry) => formatEntry(entry, page)).join('\n')}
</main>
${formatLedger(transcript, page)}
</body>
</html>
`;
}

function formatFacts({ conversationId, isRehearsal, startedAt, endedAt }: Transcript): string {
  const rehearsal = isRehearsal ? ' · rehearsal' : '';
  return `<p class="facts">${escapeHtml(conversationId)}${rehearsal} · ${formatTime(startedAt)} – ${formatTime(endedAt)}</p>`;
}

function formatMembers({ members }: Page): string {
  const items = members.map(({ name, title, agentType, type, permission }, index) => {
    const facts = [title, agentType ?? type, permission].filter((fact) => fact !== undefined).join(' · ');
    return `<li class="hue${index % HUES}"><b>${escapeHtml(name)}</b> ${escapeHtml(facts)}</li>`;
  });
  return `<ul class="members">${items.join('')}</ul>`;
}

function formatEntry(entry: TranscriptEntry, page: Page): string {
  switch (entry.kind) {
    case 'message': {
      const { id, speaker, routing, content } = entry.message;
      const to = routing?.resolvedAddressees?.join(', ') ?? '';
      const heading = `<b>${escapeHtml(speaker.roleName)}</b>${to === '' ? '' : ` → ${escapeHtml(to)}`}`;
      const text = `<pre class="text">${escapeHtml(content.trim())}</pre>`;
      return formatArticle(page, {
        id,
        speaker: speaker.roleId,
        heading,
        at: entry.at,
        text,
        turn: entry.turn,
      });
    }
    case 'turn': {
      const { turn, at } = entry;
      const heading = `<b>${escapeHtml(page.nameOf(turn.memberId))}</b> ${escapeHtml(describeResult(turn.result))}`;
      const draft = draftOf(turn.result);
      const text = draft === '' ? '' : `<pre class="text draft">${escapeHtml(draft)}</pre>`;
      return formatArticle(page, { id: turn.turnId, speaker: turn.memberId, heading, at, text, turn });
    }
    case 'notice':
      return `<p class="notice">${escapeHtml(entry.text)}</p>`;
    case 'task':
      return `<section class="task"><h2>Team task</h2><pre class="text">${escapeHtml(entry.task ?? 'cleared')}</pre></section>`;
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
  const time = `<time datetime="${escapeHtml(toIso(at))}">${formatTime(at)}</time>`;
  const more = turn === undefined ? '' : formatTools(turn, page) + formatPlan(turn, page) + formatCost(turn);
  return `<article id="${escapeHtml(id)}"${hue}><h2>${heading}${time}</h2>${text}${more}</article>`;
}

function formatTools({ tools, changedFiles, permissions }: TranscriptTurn, { nameOf }: Page): string {
  if (tools.length + changedFiles.length + permissions.length === 0) return '';
  const requests = permissions.map((use) => {
    const outcome = escapeHtml(describePermission(use, nameOf));
    return `<li>? <b>${escapeHtml(use.name)}</b> <code>${escapeHtml(use.input)}</code> ${outcome}</li>`;
  });
  const rows = tools.map(({ name, input, ok, result }) => {
    const mark = ok === undefined ? '…' : ok ? '✓' : '✗';
    const answer = result ? `<pre>${escapeHtml(result)}</pre>` : '';
    return `<li>${mark} <b>${escapeHtml(name)}</b> <code>${escapeHtml(input)}</code>${answer}</li>`;
  });
  const files = changedFiles.map((change) => `<li><code>${escapeHtml(change)}</code></li>`);
  const summary = [
    ...(requests.length > 0
      ? [`${requests.length} ${requests.length === 1 ? 'request' : 'requests'} for leave`]
      : []),
    ...(tools.length > 0 ? [`${tools.length} tool ${tools.length === 1 ? 'call' : 'calls'}`] : []),
    ...(files.length > 0 ? [`${files.length} changed ${files.length === 1 ? 'file' : 'files'}`] : []),
  ].join(', ');
  return `<details><summary>${summary}</summary><ul>${[...requests, ...rows, ...files].join('')}</ul></details>`;
}

function formatPlan({ turnId }: TranscriptTurn, { plans }: Page): string {
  const explained = plans.get(turnId);
  if (explained === undefined) return '';
  const { plan, sent, isExact } = explained;
  const sections = Object.entries(plan.sections ?? {}).map(([name, bytes]) => `${name} ${bytes}`);
  const rows = plan.messages.map(({ first, last, count, fate }) => {
    const range = first === last ? escapeHtml(first) : `${escapeHtml(first)} – ${escapeHtml(last)}`;
    return `<tr><td>${range}</td><td class="number">${count}</td><td>${escapeHtml(fate)}</td></tr>`;
  });
  const check = isExact ? '' : '<p>The bytes could not be made again exactly.</p>';
  return `<details><summary>Prompt: ${sent.bytes} of ${plan.maxBytes} bytes, session ${escapeHtml(sent.session)}</summary>
<p>${escapeHtml(sections.join(' · '))}${plan.cutBytes > 0 ? ` · ${plan.cutBytes} bytes cut` : ''}</p>${check}
<table><tr><th>messages</th><th>count</th><th>in the prompt</th></tr>${rows.join('')}</table>
<p>sha256 <code>${escapeHtml(sent.sha256)}</code></p></details>`;
}

function formatCost({ turnId, milliseconds, usage }: TranscriptTurn): string {
  const cost = usage === undefined ? '' : ` · ${escapeHtml(formatUsage(usage))}`;
  return `<footer>${escapeHtml(turnId)} · ${formatDuration(milliseconds)}${cost}</footer>`;
}

function formatLedger({ ledger }: Transcript, { nameOf }: Page): string {
  const { total, members } = ledger;
  if (total.turns === 0) return '';
  const rows = [
    ...members.map((row) => ({ ...row, name: nameOf(row.memberId) })),
    { ...total, name: 'all' },
  ].map(
    (row) =>
      `<tr><td>${escapeHtml(row.name)}</td>${[
        row.turns,
        row.inputTokens,
        row.cachedInputTokens,
        row.outputTokens,
      ]
        .map((count) => `<td class="number">${count}</td>`)
        .join('')}<td class="number">${formatMoney(row.usd)}</td><td>${describePrices(row)}</td></tr>`,
  );
  return `<details class="ledger"><summary>Ledger: ${total.turns} turns, ${formatMoney(total.usd)}</summary>
<table><tr><th>member</th><th>turns</th><th>tokens in</th><th>cached</th><th>tokens out</th><th>cost</th><th>prices</th></tr>${rows.join('')}</table></details>`;
}

function toIso(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}
