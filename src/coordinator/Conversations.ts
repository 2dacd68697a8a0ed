import type { AdditionalFolder } from '../agents/AgentAdapter.js';
import type { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { McpServer } from '../models/McpServer.js';
import type { Limits, Routing, Team } from '../models/Team.js';
import type { ForkedConversation } from '../store/forkConversation.js';
import type { ConversationPage, ConversationReader } from '../store/Store.js';
import type { ConversationSummary } from '../store/summary.js';
import type { Conversation } from './Conversation.js';

/**
 * All conversations of a user, as front ends hold them that have several at once and live long. Team file and trust are looked
 * at anew with every call that needs them: an agent may have changed the file meanwhile.
 */
export interface Conversations {
  /**
   * The team that would work in a folder now. Starts nothing and keeps nothing.
   *
   * @throws {@link HuddleError} (as a rejection) if there is no such folder, its team file is invalid, or no agent is installed.
   */
  teamOf(folder: string, changes?: TeamChanges): Promise<TeamHere>;
  /** Saves an empty conversation, which lists do not show. Starts nothing, so it needs no trust. Rejects as `teamOf` does. */
  create(folder: string): Promise<ConversationId>;
  /**
   * Opens a conversation to continue it, with the team that a folder has now.
   *
   * @throws {@link HuddleError} (as a rejection) `FOLDER_NOT_TRUSTED` with what would be started, `NESTED` inside a turn,
   * `OTHER_TEAM` if none of its agents is in the team, `CONVERSATION_LOCKED`, `UNKNOWN_CONVERSATION`, what the log of a damaged
   * one says, and all that `teamOf` rejects with.
   */
  open(id: ConversationId, choice: OpenChoice): Promise<Conversation>;
  /** Saves a copy that continues on its own. The original is only read. */
  fork(id: ConversationId): Promise<ForkedConversation>;
  /**
   * Opens a conversation for reading, also one that is open elsewhere; ids may be shortened as at the command line.
   *
   * @param folder Only those that are held in this folder, or beside the team file above it, can be read. Default: all.
   * @throws {@link HuddleError} (as a rejection) `UNKNOWN_CONVERSATION`, `OTHER_FOLDER`.
   */
  read(id: string, folder?: string): Promise<ReadConversation>;
  /** A page of the conversations in which something was said to real agents, the last opened first. */
  list(query: ListQuery): Promise<ConversationPage>;
  /** The folders whose conversations count as those of a folder, in every spelling: itself, and that of the team file above. */
  foldersOf(folder: string): Promise<readonly string[]>;
  /** Deletes a conversation with its attachments. Rejects with UNKNOWN_CONVERSATION, CONVERSATION_LOCKED. */
  delete(id: ConversationId): Promise<void>;
  /** Saves what a person attached. It is deleted with the conversation; members may read it from the next `open` on. */
  attach(id: ConversationId, attachment: Attachment): Promise<string>;
  /** Closes the store. Whoever opened a conversation closes it before. */
  close(): Promise<void>;
}

/** Conversations of which no copies are made, and to which nothing is attached: enough to hold them. */
export type House = Omit<Conversations, 'fork' | 'attach'>;

/** Changes to a team for this run. None of them gives a member more rights. */
export interface TeamChanges {
  /** `read`: members may only read; those that cannot be held to it are left out. Default: what the team file says. */
  readonly permission?: 'read' | 'team';
  readonly fanout?: Routing['fanout'];
  /** Lower limits than those of the team and the command line; a higher one changes nothing. */
  readonly limits?: Partial<Pick<Limits, 'agentTurns' | 'usd'>>;
}

/** The team of a folder as it would run. */
export interface TeamHere {
  readonly team: Team;
  /** Names of members that cannot be held to reading, and are not in the team for that reason. */
  readonly leftOut: readonly string[];
  /** Its conversations are in a store that others share: everyone speaks as themselves. */
  readonly isShared?: boolean;
  /** The reason why nothing may be started here: no trust, or a turn around us. Absent: all may start. */
  readonly refusal?: HuddleError;
}

export interface OpenChoice extends TeamChanges {
  /** The folder agents work in, and where the team file is looked for, upwards. */
  readonly folder: string;
  readonly additionalFolders?: readonly AdditionalFolder[];
  readonly mcpServers?: readonly McpServer[];
  /** People answer permission requests. Default: what the team file does not allow is denied. */
  readonly interactive?: boolean;
}

/** A conversation that is open for reading. `close` the reader at the end. */
export interface ReadConversation {
  readonly summary: ConversationSummary;
  readonly reader: ConversationReader;
}

export interface ListQuery {
  /** Only those held in this folder, as it is written or with its links resolved. */
  readonly folder?: string;
  /** Only those held in one of these, in this spelling: see `foldersOf`. */
  readonly folders?: readonly string[];
  /** Only those with this text in their title or in a message, in capitals or not. */
  readonly text?: string;
  /** The page ends when so many were looked at. Default: no matter how many. */
  readonly lookedAt?: number;
  readonly limit: number;
  /** The `next` of the page before. */
  readonly from?: number;
}

/** A file that comes with a message. */
export interface Attachment {
  readonly bytes: Uint8Array;
  /** Its name says what it is; only letters, digits, dots and hyphens of it are kept. */
  readonly name: string;
}
