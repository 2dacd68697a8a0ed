import type { Catalogue } from '../../catalogue/words.js';
import { formatFileLines } from '../../presentation/describeFileRecord.js';
import {
  type DiffParagraph,
  type EntrySection,
  labelOf,
  type Paragraph,
  type RequestParagraph,
} from '../../presentation/Paragraph.js';
import { assertNever } from '../../utils/assertNever.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import { widthOf } from '../../utils/widthOf.js';

/** Before what was said, and before what continues our own sentences: the left edge says who speaks, and no member can write there. */
const INDENT = '  ';
/** Mark of all that an agent says in a request, so that none of it can look like ours. */
export const GUTTER = '│ ';
/** Between the words of a list and their meanings. */
export const GAP = 2;

/** A block as lines without any form: no colour, no width. Whatever it says is made harmless here. */
export function formatParagraph(block: Paragraph, words: Catalogue): string {
  switch (block.kind) {
    case 'heading': {
      const { name } = block.member;
      const label = labelOf(block.member, words);
      const who = label === '' ? name : words.joining.described(name, [label]);
      const whom = block.addressees.length === 0 ? '' : ` → ${words.joining.list(block.addressees)}`;
      return sanitizeToOneLine(words.joining.heading(`${who}${whom}`));
    }
    case 'member': {
      const facts = [labelOf(block.member, words), block.description].filter((fact) => fact !== '');
      return sanitizeToOneLine(words.joining.labelled(block.member.name, facts.join(' · ')));
    }
    case 'text':
      return indent(sanitizeForTerminal(block.text));
    case 'note':
      return sanitizeForTerminal(block.text).replace(/\n(?=.)/gu, `\n${INDENT}`);
    case 'line': {
      const { icon, text, detail = '', aside = '' } = block;
      const left = [`${icon} ${text}`.trim(), detail].filter((part) => part !== '').join(' · ');
      return sanitizeToOneLine([left, aside].filter((part) => part !== '').join('  '));
    }
    case 'ending': {
      const whom = block.addressees.length === 0 ? '' : `→ ${words.joining.list(block.addressees)} `;
      return sanitizeToOneLine(`${whom}(${block.aside})`);
    }
    case 'details':
      return indent(sanitizeForTerminal(`${block.title === '' ? '' : `${block.title}\n`}${block.text}`));
    case 'entries':
      return indent(formatEntries(block.sections));
    case 'request':
      return formatRequest(block);
    case 'diff':
      return indent(formatDiff(block));
    case 'files':
      return formatFileLines(block.files).join('\n');
    default:
      return assertNever(block);
  }
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gmu, INDENT);
}

function formatEntries(sections: readonly EntrySection[]): string {
  const column = widestWord(sections) + GAP;
  return sections
    .map(({ title, entries }) =>
      [
        sanitizeToOneLine(title),
        ...entries.map(
          ([word, meaning]) => padTo(sanitizeToOneLine(word), column) + sanitizeToOneLine(meaning),
        ),
      ].join('\n'),
    )
    .join('\n\n');
}

export function widestWord(sections: readonly EntrySection[]): number {
  const words = sections.flatMap(({ entries }) => entries.map(([word]) => word));
  return Math.max(0, ...words.map((word) => widthOf(sanitizeToOneLine(word))));
}

export function padTo(text: string, column: number): string {
  return text + ' '.repeat(Math.max(0, column - widthOf(text)));
}

function formatRequest({ headline, facts }: RequestParagraph): string {
  const lines = facts.map(([label, line]) => GUTTER + label + sanitizeForTerminal(line));
  return [sanitizeToOneLine(headline), ...lines].join('\n');
}

function formatDiff({ title, lines }: DiffParagraph): string {
  const head = title === '' ? [] : [`± ${sanitizeToOneLine(title)}`];
  return [...head, ...lines.map(({ mark, text }) => `${mark} ${sanitizeForTerminal(text)}`)].join('\n');
}
