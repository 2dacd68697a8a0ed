import type { Dialect } from './reference.js';

/** What a reader takes for a new line: strictly LF only, or everything that looks like one. */
export const LINE_BREAKS = {
  strict: /\n/g,
  lenient: /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g,
} as const;

/** Names never hold anything that looks like a line break. */
const ARROW_LINE = /^- ([^\n\v\f\r\u0085\u2028\u2029]*?) -> ([^\n\v\f\r\u0085\u2028\u2029]*?): (.*)$/su;

export type LineBreaks = keyof typeof LINE_BREAKS;

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly lineBreak: string;
}

/** A prompt as somebody sees it who knows only its rules: sections and the messages in it. */
export interface ReadPrompt {
  /** Titles in order; none where the dialect has none. */
  readonly titles: readonly string[];
  /** What stands under each title, or round the history where there are none. */
  readonly bodies: readonly string[];
  readonly messages: readonly { readonly from: string; readonly to?: string; readonly content: string }[];
}

export interface Reader {
  readonly dialect: Dialect;
  readonly lineBreaks: LineBreaks;
  readonly memberNames: readonly string[];
  /** The operator's own text at the head of a prompt without titles. */
  readonly systemText: string;
}

/** Reads a prompt back. Structure is what stands at column 0; a line that begins with two spaces goes on. */
export function readPrompt(prompt: string, reader: Reader): ReadPrompt {
  return reader.dialect.titles.length > 0 ? readTitled(prompt, reader) : readUntitled(prompt, reader);
}

function readTitled(prompt: string, reader: Reader): ReadPrompt {
  const { titles } = reader.dialect;
  const lines = splitLines(prompt, reader.lineBreaks);
  const headers = lines.flatMap((line) => {
    const title = titles.find((candidate) => line.text.toLowerCase().startsWith(candidate.toLowerCase()));
    return title === undefined ? [] : [{ title, line }];
  });
  const bodies = headers.map(({ line }, index) =>
    prompt.slice(line.end + 1, (headers[index + 1]?.line.start ?? prompt.length + 2) - 2),
  );
  const inSystem = reader.dialect.systemIsFlag ? -1 : headers.findIndex(({ title }) => title === titles[0]);
  return {
    titles: headers.map(({ title }) => title),
    bodies,
    // The system text is the operator's own: no lines are looked for in it.
    messages: bodies.flatMap((body, index) => (index === inSystem ? [] : readMessages(body, reader))),
  };
}

function readUntitled(prompt: string, reader: Reader): ReadPrompt {
  const { systemText } = reader;
  const own = systemText === '' || !prompt.startsWith(systemText) ? 0 : systemText.length;
  const rest = prompt.slice(own).replace(/^\n\n/, '');
  const lines = splitLines(rest, reader.lineBreaks);
  const first = lines.findIndex(({ text }) => readSender(text, reader) !== null);
  const firstStart = lines[first]?.start ?? rest.length;
  const after = lines.find(
    ({ text }, index) =>
      first !== -1 && index > first && !text.startsWith('  ') && readSender(text, reader) === null,
  );
  const end = after?.start ?? rest.length + 1;
  return {
    titles: [],
    bodies: [rest.slice(0, firstStart).replace(/\n\n$/, ''), rest.slice(end + 1)],
    messages: [
      ...readMessages(rest.slice(0, firstStart), reader),
      ...readMessages(rest.slice(firstStart, end - 1), reader),
      ...readMessages(rest.slice(end), reader),
    ],
  };
}

/** Every line at column 0 that has the form of the history, with the indented lines that follow it. */
function readMessages(text: string, reader: Reader): ReadPrompt['messages'] {
  const messages: { from: string; to?: string; content: string }[] = [];
  let lineBreak = '';
  let isOpen = false;
  for (const line of splitLines(text, reader.lineBreaks)) {
    const sender = readSender(line.text, reader);
    const open = messages.at(-1);
    if (sender !== null) messages.push(sender);
    else if (isOpen && open !== undefined && line.text.startsWith('  '))
      open.content += lineBreak + line.text.slice(2);
    isOpen = sender !== null || (isOpen && line.text.startsWith('  '));
    ({ lineBreak } = line);
  }
  return messages;
}

function readSender(line: string, reader: Reader): { from: string; to?: string; content: string } | null {
  const { agentType } = reader.dialect;
  if (agentType === 'claude-code' || agentType === 'openai-codex') {
    const match = ARROW_LINE.exec(line);
    return match === null ? null : { from: match[1] ?? '', to: match[2] ?? '', content: match[3] ?? '' };
  }
  const bullet = agentType === 'google-gemini' ? '- ' : '';
  const from = reader.memberNames.find((name) =>
    line.toLowerCase().startsWith(`${bullet}${name}: `.toLowerCase()),
  );
  return from === undefined ? null : { from, content: line.slice(`${bullet}${from}: `.length) };
}

/** A guarded text as it was written. */
export function takeIndentOff(text: string): string {
  return splitLines(text, 'lenient')
    .map((line) => (line.text.startsWith('  ') ? line.text.slice(2) : line.text) + line.lineBreak)
    .join('');
}

function splitLines(text: string, lineBreaks: LineBreaks): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const { index, 0: lineBreak } of text.matchAll(LINE_BREAKS[lineBreaks])) {
    lines.push({ start, end: index, text: text.slice(start, index), lineBreak });
    start = index + lineBreak.length;
  }
  lines.push({ start, end: text.length, text: text.slice(start), lineBreak: '' });
  return lines;
}

/** One text between two nonce lines. */
export interface FencedText {
  /** What stands before the opening mark in its line: nothing, or the head of a history line. */
  readonly lead: string;
  /** Between nonce and `>>`. */
  readonly label: string;
  readonly content: string;
}

/** The fenced texts of a prompt, and what is left of it without them. */
export function readFences(prompt: string, nonce: string): { texts: FencedText[]; skeleton: string } {
  const texts: FencedText[] = [];
  const fence = new RegExp(
    `([^\\n]*)<<((?:task|msg) ${nonce}[^\\n]*)>>\\n([\\s\\S]*?)\\n<<end ${nonce}>>(?=\\n|$)`,
    'g',
  );
  const skeleton = prompt.replace(fence, (_whole, lead: string, label: string, content: string) => {
    texts.push({ lead, label: label.replace(` ${nonce}`, ''), content });
    return `${lead}<<>>`;
  });
  return { texts, skeleton };
}
