import type { PromptContextMessage } from './types.js';

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
