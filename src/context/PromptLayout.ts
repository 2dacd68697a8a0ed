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
