import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import type { ShownMember } from '../../../presentation/Block.js';
import {
  formatFileRow,
  headFiles,
  type ShownCount,
  type ShownFile,
} from '../../../presentation/describeFileRecord.js';
import {
  type DiffParagraph,
  type EndingParagraph,
  type EntrySection,
  type FilesParagraph,
  type LineParagraph,
  labelOf,
  type Paragraph,
  type RequestParagraph,
  type TextParagraph,
  type Tone,
} from '../../../presentation/Paragraph.js';
import { assertNever } from '../../../utils/assertNever.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../../utils/sanitize.js';
import { widthOf } from '../../../utils/widthOf.js';
import { GAP, GUTTER, padTo, widestWord } from '../../lines/formatParagraph.js';
import { clampLines } from './paintFrame.js';
import { renderMarkdown } from './renderMarkdown.js';
import { paintLine, wrapExactly, wrapWords } from './StyledText.js';
import type { Theme } from './theme.js';

/** Everything stands two columns in, so that names and marks can be found at the left edge. */
const INDENT = '  ';
const ELLIPSIS = '…';
const SMALLEST_WIDTH = 8;

/** The lines of a block, none wider than `width`. Whatever the block says is made harmless here. */
export function renderParagraph(block: Paragraph, width: number, theme: Theme): string[] {
  return clampLines(renderWide(block, Math.max(SMALLEST_WIDTH, width), theme), width);
}

function renderWide(block: Paragraph, width: number, theme: Theme): string[] {
  switch (block.kind) {
    case 'heading': {
      const { member, addressees } = block;
      return [
        renderMember(
          member,
          addressees.length === 0 ? '' : `→ ${theme.words.joining.list(addressees)}`,
          theme,
        ),
      ];
    }
    case 'member':
      return [renderMember(block.member, block.description, theme)];
    case 'text':
      return renderText(block, width, theme);
    case 'line':
      return [renderLine(block, width, theme)];
    case 'ending':
      return renderEnding(block, width, theme);
    case 'note':
      return indent(wrapTextWithAnsi(theme.tones[block.tone](plainText(block.text)), width - 2));
    case 'details':
      return [
        ...(block.title === '' ? [] : [INDENT + theme.tones.quiet(sanitizeToOneLine(block.title))]),
        ...indent(wrapTextWithAnsi(plainText(block.text), width - 2)),
      ];
    case 'entries':
      return indent(renderEntries(block.sections, width - INDENT.length, theme));
    case 'request':
      return renderRequest(block, width, theme);
    case 'diff':
      return renderDiff(block, width, theme);
    case 'files':
      return renderFiles(block, width, theme);
    default:
      return assertNever(block);
  }
}

function renderMember(member: ShownMember, aside: string, theme: Theme): string {
  const paint = theme.name(member);
  const facts = [labelOf(member, theme.words), aside].map(sanitizeToOneLine).filter((fact) => fact !== '');
  const name = `${paint(member.type === 'human' ? '›' : '●')} ${paint(sanitizeToOneLine(member.name))}`;
  return facts.length === 0 ? name : `${name}  ${theme.tones.quiet(facts.join(' · '))}`;
}

/** Text that does not count has no colours. */
function renderText({ text, tone }: TextParagraph, width: number, theme: Theme): string[] {
  const room = width - INDENT.length;
  const lines =
    tone === 'quiet'
      ? renderMarkdown(text, { width: room, look: theme.quietMarkdown })
      : renderMarkdown(text, { width: room, look: theme.markdown, highlight: theme.highlight });
  return indent(lines.map(trimEnd));
}

/** Icon and text at the left, detail after them as far as there is room, the aside at the right edge. */
function renderLine(block: LineParagraph, width: number, theme: Theme): string {
  const { tone, icon } = block;
  const aside = block.aside === undefined ? '' : sanitizeToOneLine(block.aside);
  const room = Math.max(
    0,
    width - INDENT.length - visibleWidth(icon) - 1 - (aside === '' ? 0 : visibleWidth(aside) + 2),
  );
  const text = truncateToWidth(sanitizeToOneLine(block.text), room, ELLIPSIS);
  const left = room - visibleWidth(text) - 3;
  const detail =
    block.detail === undefined || left < 4
      ? ''
      : truncateToWidth(sanitizeToOneLine(block.detail), left, ELLIPSIS);
  const paintText = tone === 'quiet' ? theme.tones.quiet : theme.tones.plain;
  const line = `${INDENT}${theme.tones[tone](icon)} ${paintText(text)}${detail === '' ? '' : theme.tones.quiet(` · ${detail}`)}`;
  const gap = ' '.repeat(Math.max(0, width - visibleWidth(line) - visibleWidth(aside)));
  return aside === '' ? line : `${line}${gap}${theme.tones.quiet(aside)}`;
}

/** On one line where both have room, else on two: whom it hands over to must be seen. */
function renderEnding(block: EndingParagraph, width: number, theme: Theme): string[] {
  const { addressees, aside } = block;
  const quiet = { kind: 'line', tone: 'quiet' } as const;
  const whom = { ...quiet, icon: '→', text: theme.words.joining.list(addressees) };
  const took = { ...quiet, icon: ' ', text: '', aside };
  if (addressees.length === 0) return [renderLine(took, width, theme)];
  const isFitting = visibleWidth(`${INDENT}→ ${whom.text}  ${aside}`) <= width;
  const lines = isFitting ? [{ ...whom, aside }] : [whom, took];
  return lines.map((line) => renderLine(line, width, theme));
}

function plainText(text: string): string {
  return sanitizeForTerminal(text).replaceAll('\t', '    ');
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : INDENT + line));
}

/** Without the blanks that fill a line up to the edge: they would wrap when the window gets narrower. */
function trimEnd(line: string): string {
  return line.replace(/ +$/, '');
}

const ROW_INDENT = '    ';

const FILE_TONES = { A: 'good', M: 'warning', D: 'bad' } as const;
const COUNT_TONES = { added: 'good', removed: 'bad', fact: 'quiet' } as const;

/** The files of a record, a row each that is never wider than the screen. */
export function renderFiles({ files }: FilesParagraph, width: number, { tones }: Theme): string[] {
  const paintCounts = (counts: readonly ShownCount[]): string[] =>
    counts.map(({ kind, text }) => tones[COUNT_TONES[kind]](text));
  const paintRow = (row: ShownFile): string => {
    const { path } = formatFileRow(row, width - ROW_INDENT.length);
    return [ROW_INDENT + tones[FILE_TONES[row.mark]](row.mark), path, ...paintCounts(row.counts)].join(' ');
  };
  const head = [`±`, tones.strong(headFiles(files)), ...paintCounts(files.counts)].join(' ');
  return [
    ...wrapTextWithAnsi(head, width - INDENT.length).map((line) => INDENT + line),
    ...files.rows.map(paintRow),
    ...files.notes.flatMap((note) =>
      wrapTextWithAnsi(tones.quiet(note), width - ROW_INDENT.length).map((line) => ROW_INDENT + line),
    ),
  ];
}

/** Share of the width that words take at most: longer ones stand on a line of their own. */
const WORD_SHARE = 1 / 4;

/** Words at the left, their meanings in a column beside them. */
export function renderEntries(sections: readonly EntrySection[], width: number, theme: Theme): string[] {
  const most = Math.floor((width + GAP) * WORD_SHARE);
  const column = Math.min(most, widestWord(sections)) + GAP;
  return sections.flatMap(({ title, entries }, index) => [
    ...(index === 0 ? [] : ['']),
    theme.tones.quiet(sanitizeToOneLine(title)),
    ...entries.flatMap(([word, meaning]) => renderEntry(word, meaning, column, width)),
  ]);
}

function renderEntry(word: string, meaning: string, column: number, width: number): string[] {
  const safe = sanitizeToOneLine(word);
  const spans = [{ text: sanitizeToOneLine(meaning), style: String }];
  const lines = wrapWords(spans, Math.max(1, width - column)).map(paintLine);
  const hanging = lines.map((line) => ' '.repeat(column) + line);
  if (widthOf(safe) + GAP > column) return [safe, ...hanging];
  return [`${padTo(safe, column)}${lines[0] ?? ''}`.trimEnd(), ...hanging.slice(1)];
}

const MARK_TONES: Readonly<Record<DiffParagraph['lines'][number]['mark'], Tone>> = {
  '+': 'good',
  '-': 'bad',
  ' ': 'plain',
  '…': 'quiet',
};

/** Whole: long lines are wrapped, never cut. */
export function renderRequest({ headline, facts }: RequestParagraph, width: number, theme: Theme): string[] {
  const { strong, warning, quiet } = theme.tones;
  const head = wrapExactly(sanitizeToOneLine(headline), Math.max(1, width - INDENT.length));
  return [
    ...head.map((line) => INDENT + strong(warning(line))),
    ...facts.flatMap(([label, line]) => {
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
    ...(title === '' ? [] : [`${INDENT}± ${theme.tones.strong(sanitizeToOneLine(title))}`]),
    ...lines.flatMap(({ mark, text }) => {
      const paint = theme.tones[MARK_TONES[mark]];
      return wrapText(text, room).map(
        (line, index) => `${INDENT}${paint(`${index === 0 ? mark : ' '} ${line}`)}`,
      );
    }),
  ];
}

function wrapText(text: string, room: number): string[] {
  return wrapExactly(sanitizeForTerminal(text).replaceAll('\t', '    '), room);
}
