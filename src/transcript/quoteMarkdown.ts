import { fenceCode, fenceInline } from '../markdown/fences.js';
import { findInertText } from '../markers/inertText.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../utils/sanitize.js';

/**
 * A message as a block quote in which it reads as it was said. Nothing in it reaches beyond the quote: it can
 * make no heading of ours, open no comment or tag, define no link, and leave no code open.
 */
export function quoteMarkdown(content: string): string {
  const text = sanitizeForTerminal(content.replace(/\r\n?/gu, '\n'));
  return quote(splitAtCode(text).map(formatPart).join('\n\n'));
}

/** A text in another notation as code in a block quote. */
export function quoteCode(text: string, language: string): string {
  return quote(formatPart({ kind: 'code', text: sanitizeForTerminal(text), language }));
}

function quote(text: string): string {
  return text.replace(/^(?=.)/gmu, '> ').replace(/^$/gmu, '>');
}

/** A name or a sentence on a line of ours. */
export function escapeMarkdown(text: string): string {
  return sanitizeToOneLine(text).replace(/[\\`*<>[\]|~]|&(?=#|\w{1,31};)/gu, '\\$&');
}

/** Between more backticks than the text has in a row. */
export function formatCode(text: string): string {
  const line = sanitizeToOneLine(text);
  return line === '' ? '' : fenceInline(line);
}

/** Code gets fences of ours, at the left, where nothing before them can keep them from being fences. */
function formatPart(part: MessagePart): string {
  if (part.kind === 'text') return part.text.split('\n').map(escapeLine).join('\n');
  return fenceCode(part.text, part.language);
}

/** Code within a line stays code; a backtick without its counterpart on the line is nothing but itself. */
function escapeLine(line: string): string {
  if (!line.includes('`')) return escapeText(line);
  const runs = [...line.matchAll(/\\.|`+/gu)].filter(([run]) => !run.startsWith('\\'));
  const closings = findClosings(runs.map(([{ length }]) => length));
  let [escaped, position] = ['', 0];
  runs.forEach(([run], index) => {
    const start = runs[index]?.index ?? 0;
    if (start < position) return;
    const closing = runs[closings[index] ?? -1];
    escaped += escapeText(line.slice(position, start));
    position = (closing?.index ?? start) + run.length;
    escaped +=
      closing === undefined ? '\\`'.repeat(run.length) : formatSpan(line.slice(start, position), run);
  });
  return escaped + escapeText(line.slice(position));
}

/** For each run of backticks the next one of the same length. */
function findClosings(lengths: readonly number[]): (number | undefined)[] {
  const next = new Map<number, number>();
  const closings: (number | undefined)[] = [];
  for (let index = lengths.length - 1; index >= 0; index -= 1) {
    const length = lengths[index] ?? 0;
    closings[index] = next.get(length);
    next.set(length, index);
  }
  return closings;
}

/** The cells of a table are parted before code is looked for, so code that could be more than text is escaped as well. */
function formatSpan(span: string, run: string): string {
  const text = span.slice(run.length, -run.length);
  return escapeText(text) === text ? span : `<code>${escapeMarkdown(text)}</code>`;
}

/** Escapes what begins a tag, a comment, a character by its number, a definition or a fence. */
function escapeText(text: string): string {
  return text.replace(/\\[!-/:-@[-`{-~]|<(?=[A-Za-z/!?])|&(?=#|\w{1,31};)|\]:|~{3,}/gu, (found) => {
    if (found.startsWith('\\')) return found;
    if (found === ']:') return ']\\:';
    return found.replace(/./gu, '\\$&');
  });
}

/** A part of a message: text, or what stands between the fences of a code block. */
type MessagePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language: string };

/** Parts a message at its fenced code blocks. A fence that was never closed holds all that follows. */
function splitAtCode(content: string): MessagePart[] {
  const parts: MessagePart[] = [];
  let position = 0;
  const pushText = (end: number): void => {
    // The line ends that part a text from its neighbours are not part of it.
    const text = content
      .slice(position, end)
      .replace(/^[\r\n]+/u, '')
      .trimEnd();
    if (text !== '') parts.push({ kind: 'text', text });
  };
  // Without a look into paragraphs: no block begins there.
  for (const { kind, start, end } of findInertText(content, () => false).blocks) {
    if (kind !== 'fence' && kind !== 'unclosed-fence') continue;
    const lineStart = content.lastIndexOf('\n', start) + 1;
    const fence = readFence(content.slice(lineStart, end), kind === 'fence');
    pushText(lineStart + fence.indent);
    parts.push(fence.part);
    position = end;
  }
  pushText(content.length);
  return parts;
}

/** Code stands as far in as its fence; what is before that, the mark of a list, is text. */
function readFence(block: string, isClosed: boolean): { part: MessagePart; indent: number } {
  const [opening = '', ...lines] = block.split('\n');
  const fence = /(?:`{3,}|~{3,})[ \t]*([^\s`]*)/u.exec(opening);
  const [indent, language] = [fence?.index ?? 0, fence?.[1] ?? ''];
  const code = (isClosed ? lines.slice(0, -1) : lines).map((line) => {
    const blanks = /^[ \t]*/u.exec(line)?.[0].length ?? 0;
    return line.slice(Math.min(blanks, indent));
  });
  return { part: { kind: 'code', language, text: code.join('\n') }, indent };
}
