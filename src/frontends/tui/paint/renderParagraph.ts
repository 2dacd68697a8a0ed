import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui';
import { words } from '../../../catalogue/words.js';
import type { ShownMember } from '../../../presentation/Block.js';
import { assertNever } from '../../../utils/assertNever.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../../utils/sanitize.js';
import {
  type EndingParagraph,
  type LineParagraph,
  labelOf,
  type Paragraph,
  type TextParagraph,
} from '../screen/Paragraph.js';
import { splitText } from '../screen/splitText.js';
import { clampLines } from './paintFrame.js';
import { renderEntries } from './renderEntries.js';
import { renderFiles } from './renderFiles.js';
import { renderMarkdown } from './renderMarkdown.js';
import { renderDiff, renderRequest, splitDiff } from './renderRequest.js';
import type { Theme } from './theme.js';

/** Everything stands two columns in, so that names and marks can be found at the left edge. */
const INDENT = '  ';
const ELLIPSIS = '…';
const SMALLEST_WIDTH = 8;

/** A block in pieces that each take a moment to lay out, however long it is. */
export function* splitParagraph(block: Paragraph): Generator<Paragraph> {
  if (block.kind === 'diff') yield* splitDiff(block);
  else if (block.kind !== 'text') yield block;
  else for (const piece of splitText(block.text)) yield { ...block, ...piece };
}

/** The lines of a block, none wider than `width`. Whatever the block says is made harmless here. */
export function renderParagraph(block: Paragraph, width: number, theme: Theme): string[] {
  return clampLines(renderWide(block, Math.max(SMALLEST_WIDTH, width), theme), width);
}

function renderWide(block: Paragraph, width: number, theme: Theme): string[] {
  switch (block.kind) {
    case 'heading': {
      const { member, addressees } = block;
      return [
        renderMember(member, addressees.length === 0 ? '' : `→ ${words.joining.list(addressees)}`, theme),
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
  const words = [labelOf(member), aside].map(sanitizeToOneLine).filter((word) => word !== '');
  const name = `${paint(member.type === 'human' ? '›' : '●')} ${paint(sanitizeToOneLine(member.name))}`;
  return words.length === 0 ? name : `${name}  ${theme.tones.quiet(words.join(' · '))}`;
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
  const whom = { ...quiet, icon: '→', text: words.joining.list(addressees) };
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
