import type { Catalogue } from '../../../catalogue/words.js';
import type { UserSettings } from '../../../models/UserSettings.js';
import type { EditedText } from './TerminalView.js';

export interface TerminalOptions {
  /** The language of the session. */
  readonly words: Catalogue;
  /** Says what a turn was sent; `argument` is what was typed after `/why`. Without it there is no such command. */
  readonly why?: (argument: string) => string | Promise<string>;
  /** Writes the conversation into a file and says where; `argument` is what was typed after `/export`. */
  readonly export?: (argument: string) => Promise<string>;
  /** Saves a fork of the conversation, up to a message or the last one. Without it there is no `/fork` and no `/rewind`. */
  readonly fork?: (message: string | undefined) => Promise<SavedForkNotes>;
  /** Facts for `/status` that only the caller knows. */
  readonly about?: () => Promise<SessionFacts>;
  /** The caller opens other sessions when asked. Without it there is no `/new` and no `/resume`. */
  readonly sessions?: OtherSessions;
  /** The folder in which the agents work, as people write it. */
  readonly folder?: string;
  /** Whether to notify people who look elsewhere; on unless switched off. */
  readonly notifications?: boolean;
  readonly isRehearsal?: boolean;
  /** Texts of earlier sessions. Without it the arrow keys know those of this one. */
  readonly history?: SavedHistory;
  /** Paths below the working folder, to be named after `@`. */
  readonly listFiles?: () => Promise<readonly string[]>;
  /** Has a text changed in the user's own editor, which gets the terminal for it. */
  readonly editText?: (text: string, signal: AbortSignal) => Promise<EditedText>;
  readonly colours?: UserSettings['colours'];
  /** The conversation was held before and continues. */
  readonly resumed?: ResumedConversation;
  /** A message that is sent at once, before anything is typed. */
  readonly opening?: string;
  /** A message sent at once, to show how a conversation goes. If no person is there to continue, it ends by itself. */
  readonly demonstration?: string;
  /** A prompt that is on the screen already and makes room when the session starts. */
  readonly firstPrompt?: {
    /** From then on lines that are said elsewhere are printed by the session. */
    handOver(print: (line: string) => void): void;
  };
}

/** A history of typed texts that lasts beyond a session. */
export interface SavedHistory {
  /** Newest first. */
  load(): readonly string[];
  add(text: string): Promise<void>;
}

/** Facts about a session and the program that holds it, as people write them. */
export interface SessionFacts {
  /** Empty before the first message. */
  readonly title: string;
  /** Absent when the team is that of what is installed. */
  readonly teamFile?: string;
  readonly dataFolder: string;
  /** Name of the shared store that the session is in. Absent: it is on this machine. */
  readonly store?: string;
  readonly version: string;
}

/** A fork that was saved. */
export interface SavedForkNotes {
  readonly id: string;
  /** Everything that people should know about it, in sentences. */
  readonly notes: readonly string[];
}

/** The other saved sessions. */
export interface OtherSessions {
  /** The id of the one that is meant. Throws if there is none, or if it cannot be continued here. */
  find(wanted: string): Promise<string>;
  /** Whether there is another one in this folder to pick. */
  hasOthers(): Promise<boolean>;
}

/** Facts that people are told of a conversation that was held before. */
export interface ResumedConversation {
  /** All there are; a handle holds only the newest. */
  readonly messageCount: number;
  /** Its status, in sentences. */
  readonly status: readonly string[];
  /** Turns did not complete and can be asked for again. */
  readonly canRetry: boolean;
}
