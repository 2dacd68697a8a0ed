import type { ConversationState } from '../conversation/ConversationState.js';
import type { Phase } from '../conversation/questions.js';
import type { FileAction } from '../files/actions/describeFileAction.js';
import type { FilesDiff } from '../files/actions/diffFiles.js';
import type { FileHistory } from '../files/changes/fileHistory.js';
import type { ConversationEvent, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationMessage, MessageSource } from '../models/ConversationMessage.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import type { ConversationPresence } from './ConversationPresence.js';

/**
 * A running conversation, as front ends and library users hold it. Every verb takes effect at once and resolves when that
 * is durable; when it cannot be, it rejects, and so does every later call: the conversation has ended.
 */
export interface Conversation {
  readonly id: ConversationId;
  readonly team: Team;
  /** The people and machines that share it, in a store that others use as well. Absent: it is this process's alone. */
  readonly presence?: ConversationPresence;
  /**
   * Sends a message as a person, or for a program; the agents it names reply.
   *
   * @param content The text, with `[NEXT: name]` or `@name` for the recipients. Without one: the agent that spoke last.
   * @param options `as`: name of the person; default: the first person of the team. `via`: the program it came through.
   * @throws {@link HuddleError} (as a rejection) with the code `EMPTY_MESSAGE`, `UNKNOWN_SPEAKER` or `CONVERSATION_CLOSED`.
   */
  send(content: string, options?: SendOptions): Promise<ConversationMessage>;
  /**
   * Stops the running turns, keeps their drafts, and pauses.
   *
   * @param options `drop`: turns that wait will not run either, nor what would follow from the running ones. Default: they wait.
   */
  cancel(options?: { readonly drop?: boolean }): Promise<void>;
  /** Ends the first look at the folder if it is under way: turns wait for it no longer, and this session records no files. */
  skipLook(): Promise<void>;
  /** Lets the running turns finish, then pauses. */
  pause(): Promise<void>;
  /** Continues after a pause; the counter of the limit that was reached restarts at 0. */
  resume(): Promise<void>;
  /** Retries the turns that did not complete since a person last spoke, each under a new id; resolves with their number. */
  retry(): Promise<number>;
  /** Names the conversation in lists; an empty title takes the name back. Rejects with TITLE_TOO_LONG. */
  rename(title: string): Promise<void>;
  /**
   * Answers a permission request (`permission-request`), as a person of the team. Rejects with UNKNOWN_PERMISSION_REQUEST
   * when that answer is no longer awaited, for instance because another person was faster.
   */
  answerPermission(
    requestId: string,
    verdict: 'allow' | 'deny',
    options?: { readonly as?: string },
  ): Promise<void>;
  /** Resolves with everything that turns and people changed in the files so far. */
  files(): Promise<FileHistory>;
  /**
   * The lines that turns changed.
   *
   * @param what `4` or `turn-4`, `4..7`, `4..`, `undo-1`, `apply-1`, `new` (since a person last spoke), `all`. Default: the
   * newest turn that changed files.
   * @throws {@link HuddleError} (as a rejection) `UNKNOWN_CHANGE`, `UNKNOWN_FILE` or `FILES_NOT_RECORDED`.
   */
  diff(what?: string, options?: FileSelectionOptions): Promise<FilesDiff>;
  /**
   * Puts back what turns changed, all of it or nothing; what was changed since in other lines is kept. The undo of an undo
   * is the redo.
   *
   * @param what As for `diff`. Default: the newest turn or apply in the working folder that is not undone.
   * @throws {@link HuddleError} (as a rejection) `FILES_CHANGED_SINCE`, `FILES_BUSY` while a turn runs, `NOTHING_TO_UNDO`,
   * `CONTENT_NOT_KEPT`, `FILES_NOT_RECORDED`, `UNKNOWN_CHANGE`, `UNKNOWN_FILE` or `SEVERAL_COPIES`.
   */
  undo(what?: string, options?: FileActionOptions): Promise<FileAction>;
  /**
   * Carries what a turn did in its copy into the working folder, all of it or nothing.
   *
   * @throws {@link HuddleError} (as a rejection) the codes of `undo`, `NOT_A_COPY` or `NOTHING_TO_APPLY`.
   */
  apply(turn: string, options?: FileActionOptions): Promise<FileAction>;
  /** Reads all recorded events up to now, from the beginning. */
  history(): AsyncIterable<RecordedEvent>;
  /** Calls the listener with each event from now on, in order, once it is durable. Returns the function that ends this. */
  subscribe(listener: (event: ConversationEvent) => void): () => void;
  /** Sums up the events that listeners have been told of. */
  snapshot(): ConversationSnapshot;
  /**
   * Resolves with the phase when nothing is running or about to run. Rejects when the log could not be written; the
   * conversation has then ended, and `send` rejects with the same error.
   */
  settled(): Promise<Phase>;
  /** Stops running turns and releases the log. Resolves also if something could not be saved: `settled` reports that. */
  close(): Promise<void>;
}

/** The speaker of a message. */
export interface SendOptions {
  /** Name of the person. Default: the first person of the team. */
  readonly as?: string | undefined;
  /**
   * The program through which it came. With `mcp` the program itself speaks, as `mcp:its-name`: it is routed as a person's
   * message is, but sets no task and grants nothing.
   */
  readonly via?: MessageSource | undefined;
}

/** Choice of files in what turns changed. */
export interface FileSelectionOptions {
  /** Files and folders, relative to the working folder. Default: all. */
  readonly paths?: readonly string[] | undefined;
}

export interface FileActionOptions extends FileSelectionOptions {
  /** Only tells what would be done; nothing is touched. */
  readonly dryRun?: boolean | undefined;
  /** Name of the person. Default: the first person of the team. */
  readonly as?: string | undefined;
  /** Written before commands in the advice of errors. Default: `huddle `. */
  readonly prefix?: string | undefined;
}

/** A conversation at one moment. */
export interface ConversationSnapshot {
  /** All that follows from its facts, messages apart. */
  readonly state: ConversationState;
  readonly phase: Phase;
  /** In a conversation that was opened again: as many as prompts can need. All of them are in `history`. */
  readonly messages: readonly ConversationMessage[];
  readonly teamTask: string | null;
}

/** Exactly what one turn was sent. */
export interface SentText {
  readonly memberName: string;
  readonly prompt: string;
  /** System text sent separately from the prompt, for agents that accept it that way. */
  readonly systemFlag?: string;
}
