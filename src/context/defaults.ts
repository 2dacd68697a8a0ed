/** Messages of history in a prompt. */
export const DEFAULT_CONTEXT_WINDOW_SIZE = 5;
/** UTF-8 bytes of a prompt, system text included. */
export const DEFAULT_MAX_BYTES = 768 * 1024;
export const MAX_TEAM_TASK_BYTES = 5 * 1024;
