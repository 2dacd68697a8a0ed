import { LINE_BREAK } from '../utils/lineBreaks.js';
import {
  arrowLine,
  bareLine,
  bulletLine,
  createFrame,
  type LineFormat,
  type PromptLayout,
  type SectionFrame,
  type SectionFrames,
  type SectionName,
  titleFrames,
} from './PromptLayout.js';
import type { AssemblerInput, PromptContextMessage, PromptGuard } from './types.js';

const INDENT = '  ';

/** Protection of one prompt's structure from the texts in it. */
export interface Protection {
  readonly historyLine: LineFormat;
  readonly frames: SectionFrames;
  /** The text of a section as it goes in. */
  shield(section: SectionName, text: string): string;
}

/** Every text goes in as it is. */
export function leaveAsIs(layout: PromptLayout): Protection {
  return { historyLine: layout.historyLine, frames: titleFrames(layout), shield: (_, text) => text };
}

/** The protection a guard asks for. */
export function protect(layout: PromptLayout, input: AssemblerInput, guard: PromptGuard): Protection {
  return guard.mode === 'fence' ? protectByFence(layout, guard) : protectByIndent(layout, input, guard);
}

/**
 * In the history every line after a message's first is indented; elsewhere only lines that would read as structure,
 * and lines that are indented already, so that taking two spaces off gives the text back.
 */
function protectByIndent(
  layout: PromptLayout,
  input: AssemblerInput,
  guard: Extract<PromptGuard, { mode: 'on' }>,
): Protection {
  const isHeader = headerTest(layout);
  const isHistory = historyTest(layout, input, guard);
  const isStructure = (line: string) => line.startsWith(INDENT) || isHeader(line) || isHistory(line);
  const tests: Partial<Record<SectionName, (line: string) => boolean>> = {
    // System text is the operator's own: only a forged header could do harm there.
    system: isHeader,
    // Indentation means something in it, and no one wants to take it off.
    files: (line) => isHeader(line) || isHistory(line),
  };
  return {
    historyLine: indentedFormats.get(layout.historyLine) ?? indentFollowingLines(layout.historyLine),
    frames: titleFrames(layout),
    shield: (section, text) => indentLines(text, tests[section] ?? isStructure),
  };
}

/** A format whose messages take one line at column 0, however many lines they have. */
function indentFollowingLines(format: LineFormat): LineFormat {
  const render = ({ from, to, content }: PromptContextMessage): string =>
    format.render({
      from: oneLine(from),
      ...(to !== undefined && { to: oneLine(to) }),
      content: content.replace(LINE_BREAK, `$&${INDENT}`),
    });
  return { isStable: format.isStable, render };
}

const indentedFormats: ReadonlyMap<LineFormat, LineFormat> = new Map(
  [arrowLine, bulletLine, bareLine].map((format) => [format, indentFollowingLines(format)]),
);

function oneLine(name: string): string {
  return name.replace(LINE_BREAK, ' ');
}

function indentLines(text: string, mustIndent: (line: string) => boolean): string {
  let result = '';
  let start = 0;
  for (const { index, 0: lineBreak } of text.matchAll(LINE_BREAK)) {
    result += indentLine(text.slice(start, index), mustIndent) + lineBreak;
    start = index + lineBreak.length;
  }
  return result + indentLine(text.slice(start), mustIndent);
}

function indentLine(line: string, mustIndent: (line: string) => boolean): string {
  return mustIndent(line) ? INDENT + line : line;
}

/** A line that begins with a title: also when more follows, since cutting a text could leave just the title. */
function headerTest({ titles }: PromptLayout): (line: string) => boolean {
  const headers = Object.values(titles).map((title) => title.toLowerCase());
  const longest = Math.max(0, ...headers.map((header) => header.length));
  return (line) => {
    const beginning = line.slice(0, longest).toLowerCase();
    return headers.some((header) => beginning.startsWith(header));
  };
}

/** A line that reads as a message of the history in this layout. */
function historyTest(
  { historyLine }: PromptLayout,
  { contextMessages }: AssemblerInput,
  { memberNames = [] }: Extract<PromptGuard, { mode: 'on' }>,
): (line: string) => boolean {
  if (historyLine === arrowLine) return looksLikeArrowLine;
  const names = new Set([...memberNames, ...contextMessages.map(({ from }) => from)].map(oneLine));
  const beginnings = [...names].map((from) => historyLine.render({ from, content: '' }).toLowerCase());
  return (line) => {
    const folded = line.toLowerCase();
    return beginnings.some((beginning) => folded.startsWith(beginning));
  };
}

function looksLikeArrowLine(line: string): boolean {
  if (!line.startsWith('- ')) return false;
  const arrow = line.indexOf(' -> ');
  return arrow !== -1 && line.includes(':', arrow);
}

/** Puts every text between two lines with a nonce that no one could know when the text was written. */
function protectByFence(layout: PromptLayout, guard: Extract<PromptGuard, { mode: 'fence' }>): Protection {
  const { nonce, currentSpeaker } = guard;
  const close = `<<end ${nonce}>>`;
  const open = (speaker: Pick<PromptContextMessage, 'from' | 'type'> | undefined): string => {
    if (speaker === undefined) return `<<msg ${nonce}>>`;
    const type = speaker.type === undefined ? '' : ` type=${speaker.type}`;
    return `<<msg ${nonce} from=${oneLine(speaker.from)}${type}>>`;
  };
  const render = ({ from, to = 'all', content, type }: PromptContextMessage): string => {
    const opening = open({ from, ...(type && { type }) });
    const first = layout.historyLine.render({ from: oneLine(from), to: oneLine(to), content: opening });
    return `${first}\n${content}\n${close}`;
  };
  const titles = titleFrames(layout);
  const fence = ({ before }: SectionFrame, opening: string) => createFrame([...before, opening], [close]);
  return {
    historyLine: { isStable: false, render },
    frames: {
      ...titles,
      task: fence(titles.task, `<<task ${nonce}>>`),
      files: fence(titles.files, `<<files ${nonce}>>`),
      message: fence(titles.message, open(currentSpeaker)),
    },
    shield: (_, text) => text,
  };
}
