/** Messages of history in a prompt. */
export const DEFAULT_CONTEXT_WINDOW_SIZE = 5;
/** UTF-8 bytes of a prompt, system text included. */
export const DEFAULT_MAX_BYTES = 768 * 1024;
/** UTF-8 bytes of a team task. A team file with a longer one is refused; ContextManager cuts it. */
export const MAX_TEAM_TASK_BYTES = 5 * 1024;
