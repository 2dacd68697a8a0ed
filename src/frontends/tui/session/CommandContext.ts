import type { Conversation } from '../../../coordinator/Conversation.js';
import type { Paragraph } from '../../../presentation/Paragraph.js';
import type { OpenPermission } from '../../../presentation/Telling.js';
import type { TerminalExit } from '../FrontEnd.js';
import type { Screen } from '../screen/Screen.js';
import type { TerminalOptions } from './TerminalOptions.js';

/** Things a command may use. */
export interface CommandContext {
  readonly conversation: Conversation;
  readonly options: TerminalOptions;
  /** The terminal reports every key, not only lines. */
  readonly hasKeys: boolean;
  /** As it is now. */
  screen(): Screen;
  print(blocks: readonly Paragraph[]): void;
  /** Says something as the person who types. */
  send(text: string): Promise<void>;
  resume(): Promise<void>;
  /** Says how many turns are asked for again. */
  retry(): Promise<number>;
  speaker: string | undefined;
  /** The questions that were open and on the screen when what is typed was begun. */
  seenQuestions(): readonly OpenPermission[];
  /** Asks something that is done after a yes; the next line is the answer. */
  ask(question: AskedQuestion): void;
  /** Turns, undos and applies that changed files while this session was open, the newest first. */
  changedUnits(): readonly ChangedUnit[];
  leave(exit?: TerminalExit): void;
}

/** A question of ours, about something that cannot be taken for granted. */
export interface AskedQuestion {
  readonly question: string;
  /** Beside the editor, as long as it waits. */
  readonly hint: string;
  /** Sentence for a no. */
  readonly declined: string;
  onYes(): Promise<void>;
}

/** Something that changed files, by the name that commands take. */
export interface ChangedUnit {
  readonly name: string;
  readonly isInCopy: boolean;
}
