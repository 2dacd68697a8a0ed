/** UTF-8 bytes of an answer that is a message as it is. */
export const MAX_MESSAGE_ANSWER_BYTES = 1024 * 1024;
/**
 * UTF-8 bytes that a message keeps of a longer answer. The end is worth more: a test log says there what failed. Both
 * together fit into a prompt, which would otherwise cut the end again.
 */
export const KEPT_BEGINNING_BYTES = 128 * 1024;
export const KEPT_END_BYTES = 384 * 1024;
/** UTF-8 bytes of an answer that Huddle holds and saves: the rest is lost in its middle, before this end of it. */
export const HELD_ANSWER_BYTES = 64 * 1024 * 1024;
/** Less than a message keeps, so that the message has the mark of what was lost. */
export const HELD_END_BYTES = KEPT_END_BYTES - 4096;

/** Messages of history in a prompt. */
export const DEFAULT_CONTEXT_WINDOW_SIZE = 5;
/** UTF-8 bytes of a prompt, system text included. */
export const DEFAULT_MAX_BYTES = 768 * 1024;
/** UTF-8 bytes of a team task. A team file with a longer one is refused; ContextManager cuts it. */
export const MAX_TEAM_TASK_BYTES = 5 * 1024;
