import type { TurnOutcome } from './TurnOutcome.js';

/** The agent's own session; may come more than once. */
export interface SessionEvent {
  readonly type: 'session';
  readonly sessionId: string;
  readonly model?: string;
  /** Where in the session the turn stands, for agents that can fork a session at such a place. */
  readonly mark?: string;
  /** Whether the session has the prompt of this turn, and keeps it if the turn is cut off. Absent: not known. */
  readonly holdsPrompt?: boolean;
}

/** A piece of the block of answer text that is being written: a preview until `text` settles it. */
export interface TextDeltaEvent {
  readonly type: 'text-delta';
  readonly text: string;
}

/** One whole block of the answer. It replaces the deltas since the last `text` or `text-reset`. */
export interface TextEvent {
  readonly type: 'text';
  readonly text: string;
}

/** The deltas since the last `text` belong to an attempt that the agent gave up. */
export interface TextResetEvent {
  readonly type: 'text-reset';
}

export interface ThinkingEvent {
  readonly type: 'thinking';
  readonly text: string;
}

export interface ToolStartEvent {
  readonly type: 'tool-start';
  readonly toolId: string;
  readonly name: string;
  /** The input in short, one line. */
  readonly input: string;
  /**
   * What sort of tool it is, in the words of the Agent Client Protocol: `read`, `edit`, `delete`, `move`, `search`,
   * `execute`, `think`, `fetch`, `switch_mode`, `other`. Absent in logs of earlier versions.
   */
  readonly kind?: string;
}

export interface ToolEndEvent {
  readonly type: 'tool-end';
  readonly toolId: string;
  readonly name: string;
  readonly ok: boolean;
  /** The result in short. */
  readonly result: string;
}

export interface FileChangeEvent {
  readonly type: 'file-change';
  readonly path: string;
  readonly change: 'add' | 'update' | 'delete';
}

export interface TodoListEvent {
  readonly type: 'todo-list';
  readonly items: ReadonlyArray<{ readonly text: string; readonly done: boolean }>;
}

/** The change of one file. `oldText` is null for a file that is new. */
export interface FileDiff {
  readonly path: string;
  readonly oldText: string | null;
  readonly newText: string;
}

/** Everything that a decision about a permission request is based on. */
export interface PermissionDetails {
  /** The tool call it is about, if the agent has told of one. */
  readonly toolId?: string;
  /** As in `tool-start`. */
  readonly kind: string;
  /** The agent's own words. */
  readonly title: string;
  /** What would be run, in full; a list of words is joined and quoted. */
  readonly command?: string;
  /** The files it is about: relative to the working folder if they are in it, else absolute. A link, and where it leads. */
  readonly paths: readonly string[];
  /** None of the files is outside the working folder, links resolved. */
  readonly isInFolder: boolean;
  /** What would change. Absent if there is nothing to show, or more than can be shown. */
  readonly diffs?: readonly FileDiff[];
  /** What else the tool is given, as JSON. */
  readonly arguments?: string;
}

/** The agent asks permission to do something. Logs of earlier versions have no details. */
export interface PermissionRequestEvent extends Partial<PermissionDetails> {
  readonly type: 'permission-request';
  readonly requestId: string;
  readonly name: string;
  /** What it is about, in short, on one line. */
  readonly input: string;
  /** A person is asked, and the agent waits for the answer. Otherwise the decision follows at once. */
  readonly isOpen?: boolean;
}

/** The agent could not reach its model and tries again by itself. */
export interface RetryEvent {
  readonly type: 'retry';
  readonly message: string;
  readonly attempt?: number;
  readonly maxAttempts?: number;
  /** HTTP status, where the agent says it. */
  readonly status?: number;
  readonly waitMilliseconds?: number;
}

/**
 * What this turn cost; per turn, never cumulative. The last one counts. Figures that cannot be true (tokens: whole
 * numbers from 0 to 1e12, money: 0 to 1e6) are not counted.
 */
export interface UsageEvent {
  readonly type: 'usage';
  readonly usage: TurnUsage;
  /** Where the agent counts over its whole session: what to hand to the next turn in the same session. */
  readonly sessionTotals?: SessionTotals;
}

export interface TurnUsage {
  /** Everything the model read, the cached part included. */
  readonly inputTokens: number;
  /** The part of `inputTokens` that came from the vendor's cache. */
  readonly cachedInputTokens: number;
  /** Everything the model wrote, thoughts included. */
  readonly outputTokens: number;
  /** Absent when the agent does not say. */
  readonly usd?: number;
}

/** What an agent has reported over all turns of one of its sessions. */
export type SessionTotals = TurnUsage;

/** Something went wrong that did not by itself end the turn. */
export interface ErrorEvent {
  readonly type: 'error';
  readonly message: string;
}

/** A record we do not know. Kept, never fatal. */
export interface RawEvent {
  readonly type: 'raw';
  readonly record: unknown;
}

/** Always the last event of a turn, and always there. */
export interface EndEvent {
  readonly type: 'end';
  readonly outcome: TurnOutcome;
}

/** What an agent says during a turn, in our words. */
export type AgentEvent =
  | SessionEvent
  | TextDeltaEvent
  | TextEvent
  | TextResetEvent
  | ThinkingEvent
  | ToolStartEvent
  | ToolEndEvent
  | FileChangeEvent
  | TodoListEvent
  | PermissionRequestEvent
  | RetryEvent
  | UsageEvent
  | ErrorEvent
  | RawEvent
  | EndEvent;
