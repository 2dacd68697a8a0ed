import { labelLines } from '../../../catalogue/permissionRequests.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../../utils/sanitize.js';
import type { DiffParagraph, RequestParagraph, Tone } from '../screen/Paragraph.js';
import type { Theme } from './theme.js';
import { wrapExactly } from './wrapExactly.js';

const INDENT = '  ';
/** Of all that an agent says in a request, so that none of it can look like ours. */
const GUTTER = '│ ';
const LINES_IN_A_PIECE = 200;

const MARK_TONES: Readonly<Record<DiffParagraph['lines'][number]['mark'], Tone>> = {
  '+': 'good',
  '-': 'bad',
  ' ': 'plain',
  '…': 'quiet',
};

/** A long change in pieces that each take a moment to lay out; only the first has a title. */
export function* splitDiff(block: DiffParagraph): Generator<DiffParagraph> {
  for (let start = 0; start === 0 || start < block.lines.length; start += LINES_IN_A_PIECE) {
    const lines = block.lines.slice(start, start + LINES_IN_A_PIECE);
    yield { kind: 'diff', title: start === 0 ? block.title : '', lines };
  }
}

/** Whole: long lines are wrapped, never cut. */
export function renderRequest({ headline, facts }: RequestParagraph, width: number, theme: Theme): string[] {
  const { warning, quiet } = theme.tones;
  const head = wrapExactly(sanitizeToOneLine(headline), Math.max(1, width - INDENT.length));
  return [
    ...head.map((line) => INDENT + theme.strong(warning(line))),
    ...facts.flatMap(labelLines).flatMap(([label, line]) => {
      const room = Math.max(1, width - INDENT.length - GUTTER.length - label.length);
      return wrapText(line, room).map(
        (piece, index) =>
          `${INDENT}${quiet(GUTTER + (index === 0 ? label : ' '.repeat(label.length)))}${piece}`,
      );
    }),
  ];
}

export function renderDiff({ title, lines }: DiffParagraph, width: number, theme: Theme): string[] {
  const room = Math.max(1, width - 2 * INDENT.length);
  return [
    ...(title === '' ? [] : [`${INDENT}± ${theme.strong(sanitizeToOneLine(title))}`]),
    ...lines.flatMap(({ mark, text }) => {
      const paint = theme.tones[MARK_TONES[mark]];
      return wrapText(text, room).map(
        (line, index) => `${INDENT}${paint(`${index === 0 ? mark : ' '} ${line}`)}`,
      );
    }),
  ];
}

/** The same as lines without any form. */
export function formatRequest({ headline, facts }: RequestParagraph): string {
  const lines = facts.flatMap(labelLines).map(([label, line]) => GUTTER + label + sanitizeForTerminal(line));
  return [sanitizeToOneLine(headline), ...lines].join('\n');
}

export function formatDiff({ title, lines }: DiffParagraph): string {
  const head = title === '' ? [] : [`± ${sanitizeToOneLine(title)}`];
  return [...head, ...lines.map(({ mark, text }) => `${mark} ${sanitizeForTerminal(text)}`)].join('\n');
}

function wrapText(text: string, room: number): string[] {
  return wrapExactly(sanitizeForTerminal(text).replaceAll('\t', '    '), room);
}
