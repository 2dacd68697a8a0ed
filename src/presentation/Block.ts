import type {
  ErrorEvent,
  FileChangeEvent,
  PermissionRequestEvent,
  RetryEvent,
  TodoListEvent,
  TurnWarning,
} from '../models/AgentEvent.js';
import type {
  ConversationForked,
  FilesRecorded,
  MemberSummary,
  Notice,
  PauseReason,
  PermissionDecided,
  TurnEnd,
} from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import type { TurnId } from '../models/ids.js';

/**
 * A piece of a conversation as people are told it: facts and codes, from which a renderer makes its sentences. It comes
 * once, in order, and never changes. Its texts are not yet safe to show.
 */
export type Block =
  /** The beginning: who is there. */
  | { readonly kind: 'start'; readonly members: readonly ShownMember[] }
  | MessageBlock
  | TurnBlock
  | { readonly kind: 'task'; readonly at: number; readonly task: string | null }
  | { readonly kind: 'notice'; readonly at: number; readonly notice: Notice }
  /** The conversation is a fork: everything before is a copy. */
  | { readonly kind: 'fork'; readonly at: number; readonly fork: ConversationForked }
  | { readonly kind: 'pause'; readonly at: number; readonly reason: PauseReason }
  | FilesBlock
  | WorkBlock;

/** A member as people are told of them; `place` counts agents in the order of the team, people have -1. */
export interface ShownMember extends MemberSummary {
  readonly place: number;
}

/** A member as the author of a message, and what its name alone does not say; `nameAuthor` puts it into words. */
export interface Author extends ShownMember {
  readonly origin?: AuthorOrigin;
}

/** The real author of a message in the name of a person; the machine, or the program, that somebody spoke through. */
export type AuthorOrigin =
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'agent' }
  | { readonly kind: 'machine'; readonly machine: string }
  | { readonly kind: 'program'; readonly name: string };

/** A message. */
export interface MessageBlock {
  readonly kind: 'message';
  readonly at: number;
  readonly message: ConversationMessage;
  readonly member: Author;
  /** Its text without the markers that acted at its ends; whom it addresses is in `message.routing`. */
  readonly text: string;
  /** The turn that wrote it; absent for people. */
  readonly turn?: ToldTurn;
  /** `text` blocks have told all of it before. */
  readonly isTold: boolean;
}

/** A turn that did not become a message. */
export interface TurnBlock {
  readonly kind: 'turn';
  readonly at: number;
  readonly turn: ToldTurn;
  /** The part of its draft that no `text` block has told. */
  readonly rest: string;
}

/** Files that changed: in turns, between them, or because a person put changes back or applied them. */
export interface FilesBlock {
  readonly kind: 'files';
  readonly at: number;
  readonly record: FilesRecorded;
  /** The turns it is of; none for others and for people. */
  readonly turns: readonly TurnWithFiles[];
  /** The person who put back or applied. */
  readonly person?: ShownMember;
  /** The member in whose copy it is. */
  readonly copyOf?: ShownMember;
}

/** A turn in which files changed, and its member if that is known. */
export interface TurnWithFiles extends Partial<TurnOf> {
  readonly turnId: TurnId;
}

/** A turn that is over. */
export interface ToldTurn extends TurnWork, Pick<TurnEnd, 'result' | 'milliseconds' | 'usage'> {}

/** An agent's work in a turn besides talking. */
export interface TurnWork extends TurnOf {
  readonly tools: readonly ToolCall[];
  readonly files: readonly FileChangeEvent[];
  readonly permissions: readonly PermissionRecord[];
}

/** A turn and its member. */
export interface TurnOf {
  readonly turnId: TurnId;
  readonly member: ShownMember;
}

/** A step of an agent's work while its turn runs. */
export type WorkBlock = TurnOf & Work;

export type Work =
  /** A part of its answer is settled. */
  | { readonly kind: 'text'; readonly text: string }
  /** A tool call begins (`ok` is absent) or ends. */
  | { readonly kind: 'tool'; readonly call: ToolCall }
  | { readonly kind: 'file'; readonly file: FileChangeEvent }
  /** Its plan as it is now, and what of it got done since the last time. */
  | { readonly kind: 'todo'; readonly items: TodoListEvent['items']; readonly finished: readonly string[] }
  | { readonly kind: 'request'; readonly request: PermissionRecord }
  | { readonly kind: 'decision'; readonly request: DecidedPermission }
  | { readonly kind: 'retry'; readonly retry: RetryEvent }
  | { readonly kind: 'error'; readonly error: ErrorEvent }
  | { readonly kind: 'warning'; readonly warning: TurnWarning };

/** A tool call; numbered over the whole conversation, so that people can ask for one. */
export interface ToolCall {
  readonly number: number;
  readonly toolId: string;
  readonly name: string;
  readonly input: string;
  /** Absent while it runs, and permanently when the turn ended before it. */
  readonly ok?: boolean;
  readonly result?: string;
}

/** A permission request, and what came of it. */
export interface PermissionRecord
  extends Omit<PermissionRequestEvent, 'type' | 'isOpen'>,
    Partial<Pick<PermissionDecided, 'decision' | 'by' | 'allowEntry'>> {
  /** By which people answer it; absent when it is not for people. */
  readonly number?: number;
  /** The name of the person who decided. */
  readonly person?: string;
}

export type DecidedPermission = PermissionRecord & Pick<PermissionDecided, 'decision' | 'by'>;
