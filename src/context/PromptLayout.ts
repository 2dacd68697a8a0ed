import { utf8Length } from '../utils/bytes.js';
import type { PromptContextMessage } from './types.js';

/** The parts of a prompt, in the order in which every layout has them. */
export type SectionName = 'system' | 'task' | 'context' | 'files' | 'message';

/** The declarative shape of a prompt: the three facts in which the layouts differ. */
export interface PromptLayout {
  /** `flag`: system text is sent separately; `prompt`: it is the first section. */
  readonly systemText: 'flag' | 'prompt';
  /** The line above each section; a missing title means no line at all. */
  readonly titles: Readonly<Partial<Record<SectionName, string>>>;
  readonly historyLine: LineFormat;
}

/** Format of a message of the history. */
export interface LineFormat {
  /** A message has the same line every time, so that rendering it once is enough. */
  readonly isStable: boolean;
  render(message: PromptContextMessage): string;
}

/** `- from -> to: content` */
export const arrowLine: LineFormat = {
  isStable: true,
  render: ({ from, to = 'all', content }) => `- ${from} -> ${to}: ${content}`,
};

/** `- from: content` */
export const bulletLine: LineFormat = {
  isStable: true,
  render: ({ from, content }) => `- ${from}: ${content}`,
};

/** `from: content` */
export const bareLine: LineFormat = {
  isStable: true,
  render: ({ from, content }) => `${from}: ${content}`,
};

/** A rendered message and its size in UTF-8. */
interface RenderedLine {
  readonly format: LineFormat;
  /** Absent where it is long: few budgets have room for it, and every copy costs memory. */
  readonly text: string | undefined;
  readonly bytes: number;
}

/** Longest line that is kept. */
const LONG_LINE_BYTES = 64 * 1024;

const LINES = Symbol('lines');

/** Makes a message keep the lines it is rendered as, unseen by copies and comparisons. It is frozen, so that they stay true. */
export function keepLines(message: PromptContextMessage): PromptContextMessage {
  Object.defineProperty(message, LINES, { value: [] });
  return Object.freeze(message);
}

/** The lines of a history in one format, each made when it is first asked for. */
export class HistoryLines {
  readonly #history: readonly PromptContextMessage[];
  readonly #format: LineFormat;
  /** Lines that their messages do not keep. */
  #own: RenderedLine[] | undefined;

  constructor(history: readonly PromptContextMessage[], format: LineFormat) {
    this.#history = history;
    this.#format = format;
  }

  bytesAt(index: number): number {
    return this.#lineAt(index).bytes;
  }

  textAt(index: number): string {
    return this.#lineAt(index).text ?? this.#render(index);
  }

  #lineAt(index: number): RenderedLine {
    const message = this.#history[index] as PromptContextMessage & { [LINES]?: RenderedLine[] };
    const kept = this.#format.isStable ? message[LINES] : undefined;
    const known = kept?.find(({ format }) => format === this.#format) ?? this.#own?.[index];
    if (known !== undefined) return known;
    const text = this.#render(index);
    const bytes = utf8Length(text);
    const line = { format: this.#format, text: bytes > LONG_LINE_BYTES ? undefined : text, bytes };
    if (kept !== undefined) kept.push(line);
    else {
      this.#own ??= new Array(this.#history.length);
      this.#own[index] = line;
    }
    return line;
  }

  #render(index: number): string {
    return this.#format.render(this.#history[index] as PromptContextMessage).toWellFormed();
  }
}

/** Lines above and below the body of a section that come and go with it: a title, a fence. */
export interface SectionFrame {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Line breaks included. */
  readonly bytes: number;
}

export function createFrame(above: readonly string[], below: readonly string[] = []): SectionFrame {
  const before = above.map((line) => line.toWellFormed());
  const after = below.map((line) => line.toWellFormed());
  const bytes = [...before, ...after].reduce((total, line) => total + utf8Length(line) + 1, 0);
  return { before, after, bytes };
}

export const NO_FRAME = createFrame([]);

/** The lines round each section. */
export type SectionFrames = Readonly<Record<SectionName, SectionFrame>>;

/** Frames that are just the titles. */
export function titleFrames({ titles }: PromptLayout): SectionFrames {
  const frameOf = (title: string | undefined) => (title === undefined ? NO_FRAME : createFrame([title]));
  return {
    system: frameOf(titles.system),
    task: frameOf(titles.task),
    context: frameOf(titles.context),
    files: frameOf(titles.files),
    message: frameOf(titles.message),
  };
}

/** Section titles that Claude Code and Codex share. */
export const BRACKETED_TITLES = {
  task: '[TEAM_TASK]',
  context: '[CONTEXT]',
  files: '[FILES]',
  message: '[MESSAGE]',
};
