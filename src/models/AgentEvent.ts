import type {
  ACTIVITIES,
  FILE_DIFF,
  PERMISSION,
  PROGRESS,
  TOOL_LOCATION,
  USAGE,
  WARNINGS,
} from './schema/agentEvents.js';
import type { FACTS } from './schema/events.js';
import type { Fields, Variant } from './schema/fields.js';
import type { TurnOutcome } from './TurnOutcome.js';

type Activity<Type extends keyof typeof ACTIVITIES> = Variant<'type', typeof ACTIVITIES, Type>;
type Progress<Type extends keyof typeof PROGRESS> = Variant<'type', typeof PROGRESS, Type>;

/** The agent's own session; may come more than once. */
export interface SessionEvent extends Activity<'session'> {}

export interface ToolStartEvent extends Activity<'tool-start'> {}

export interface ToolEndEvent extends Activity<'tool-end'> {}

export interface FileChangeEvent extends Activity<'file-change'> {}

export interface TodoListEvent extends Activity<'todo-list'> {}

/** The agent asks permission to do something. */
export interface PermissionRequestEvent extends Activity<'permission-request'> {}

/** Everything that a decision about a permission request is based on. */
export interface PermissionDetails extends Fields<typeof PERMISSION> {}

/** The change of one file. `oldText` is null for a file that is new. */
export interface FileDiff extends Fields<typeof FILE_DIFF> {}

/** The agent could not reach its model and tries again by itself. */
export interface RetryEvent extends Activity<'retry'> {}

/** The agent reports something that did not by itself end the turn. */
export interface ErrorEvent extends Activity<'error'> {}

/** Huddle noticed something that did not end the turn. */
export interface WarningEvent extends Activity<'warning'> {}

/** Subject of a warning, by `code`. */
export type TurnWarning = Variant<'code', typeof WARNINGS>;

/** A piece of the block of answer text that is being written: a preview until `text` settles it. */
export interface TextDeltaEvent extends Progress<'text-delta'> {}

/** A whole block of the answer. It replaces the deltas since the last `text` or `text-reset`. */
export interface TextEvent extends Progress<'text'> {}

/** The deltas since the last `text` belong to an attempt that the agent gave up. */
export interface TextResetEvent extends Progress<'text-reset'> {}

export interface ThinkingEvent extends Progress<'thinking'> {}

/** More about a tool call than is recorded of it. Each one adds to those before; a field that comes again replaces the one before. */
export interface ToolDetailEvent extends Progress<'tool-detail'> {}

/** A place in a file that a tool call is about. */
export interface ToolLocation extends Fields<typeof TOOL_LOCATION> {}

/** A turn of a member on another machine that no worker has taken yet. */
export interface WaitingEvent extends Progress<'waiting'> {}

/**
 * Usage of this turn; per turn, never cumulative. The last one counts. Figures that cannot be true (tokens:
 * whole numbers from 0 to 1e12, money: 0 to 1e6) are not counted. `sessionTotals`, if the agent counts over
 * its whole session, is handed to the next turn in the same session.
 */
export interface UsageEvent extends Progress<'usage'> {}

export interface TurnUsage extends Fields<typeof USAGE> {}

/** Usage that an agent has reported over all turns of one of its sessions. */
export type SessionTotals = TurnUsage;

/** A record we do not know. Kept, never fatal. */
export interface RawEvent extends Progress<'raw'> {}

/** A worker has decided a permission request of its agent, by its own lists. */
export interface DecidedEvent
  extends Omit<Fields<(typeof FACTS)['permission-decided']>, 'turnId' | 'memberId'> {
  readonly type: 'permission-decided';
}

/** Always the last event of a turn, and always there. */
export interface EndEvent {
  readonly type: 'end';
  readonly outcome: TurnOutcome;
}

/** Something an agent did during a turn that people may want to see later. */
export type ActivityEvent = Activity<keyof typeof ACTIVITIES>;

/** Live output of an agent. */
export type ProgressEvent = Progress<keyof typeof PROGRESS>;

/** Any event of an agent during a turn, in our words. */
export type AgentEvent = ActivityEvent | ProgressEvent | DecidedEvent | EndEvent;

/** The warning with every turn of which `putSystemTextInPrompt` made the request. */
export const SYSTEM_TEXT_IN_PROMPT: WarningEvent = {
  type: 'warning',
  about: { code: 'system-text-in-prompt' },
};

/** Whether an event says that the system text of its turn stood in the prompt. */
export function isSystemTextInPrompt(event: ActivityEvent): boolean {
  return event.type === 'warning' && event.about.code === SYSTEM_TEXT_IN_PROMPT.about.code;
}

interface PromptText {
  readonly prompt: string;
  readonly systemFlag?: string | undefined;
}

/** The prompt was made for an agent that has its system text elsewhere, so nothing in it was kept from reading as such. */
export function putSystemTextInPrompt<Text extends PromptText>(text: Text): Text {
  const { systemFlag, prompt } = text;
  if (systemFlag === undefined) return text;
  const whole = `[SYSTEM]\n${systemFlag}\n\n${prompt.replaceAll(/^\[SYSTEM\]/gmu, '  $&')}`;
  return { ...text, prompt: whole, systemFlag: undefined };
}
