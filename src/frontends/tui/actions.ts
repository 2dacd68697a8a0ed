import type { OpenPermission } from './Screen.js';

/** What the caller can do for people at the terminal. A command whose action is not there is not offered. */
export interface TerminalActions {
  /** Says what a turn was sent; `argument` is what the person typed after `/why`. */
  readonly why?: (argument: string) => string | Promise<string>;
  /** `as` is who answers. */
  readonly answerPermission?: (
    question: OpenPermission,
    answer: 'allow' | 'deny',
    as: string | undefined,
  ) => void | Promise<void>;
}
