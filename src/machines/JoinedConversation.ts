import type { Phase } from '../conversation/questions.js';
import type { Company } from '../coordinator/Company.js';
import type {
  Conversation,
  ConversationSnapshot,
  FileActionOptions,
  FileSelectionOptions,
  SendOptions,
} from '../coordinator/Conversation.js';
import type { DecidingConversation } from '../coordinator/Mandate.js';
import type { FileAction } from '../files/actions/describeFileAction.js';
import type { FilesDiff } from '../files/actions/diffFiles.js';
import type { FileHistory } from '../files/changes/fileHistory.js';
import type { ConversationEvent, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import { ConversationLockedError, NotInConversationError } from '../store/storeErrors.js';
import { requireSelf } from './PresenceBoard.js';
import { Seat, type SeatParts } from './Seat.js';

/**
 * A conversation in a store that others share: held by this process, or followed. Which of the two it is changes while it is
 * open: front ends notice by its `company` only.
 */
export class JoinedConversation implements Conversation {
  readonly #seat: Seat;

  constructor(seat: Seat) {
    this.#seat = seat;
  }

  get id(): ConversationId {
    return this.#seat.id;
  }

  get team(): Team {
    return this.#seat.team;
  }

  get company(): Company {
    return this.#seat.company;
  }

  async send(content: string, { as, via }: SendOptions = {}): Promise<ConversationMessage> {
    return this.#seat.speak(content, { as: this.#self(as).name, via });
  }

  async cancel(options?: { readonly drop?: boolean }): Promise<void> {
    await (await this.#seat.conversation()).cancel(options);
  }

  async skipLook(): Promise<void> {
    await (await this.#seat.conversation()).skipLook();
  }

  async pause(): Promise<void> {
    this.#self();
    await (await this.#seat.conversation()).pause();
  }

  async resume(): Promise<void> {
    this.#self();
    await (await this.#seat.mayHold()).resume();
  }

  async retry(): Promise<number> {
    this.#self();
    return (await this.#seat.mayHold()).retry();
  }

  async rename(title: string): Promise<void> {
    this.#self();
    await (await this.#seat.mayHold()).rename(title);
  }

  async answerPermission(
    requestId: string,
    verdict: 'allow' | 'deny',
    { as }: { readonly as?: string } = {},
  ): Promise<void> {
    const { name } = this.#self(as);
    await (await this.#seat.conversation()).answerPermission(requestId, verdict, { as: name });
  }

  async files(): Promise<FileHistory> {
    return (await this.#seat.reading()).files();
  }

  async diff(what?: string, options?: FileSelectionOptions): Promise<FilesDiff> {
    return (await this.#seat.reading()).diff(what, options);
  }

  async undo(what?: string, options: FileActionOptions = {}): Promise<FileAction> {
    const { name: as } = this.#self(options.as);
    return (await this.#seat.conversation()).undo(what, { ...options, as });
  }

  async apply(turn: string, options: FileActionOptions = {}): Promise<FileAction> {
    const { name: as } = this.#self(options.as);
    return (await this.#seat.conversation()).apply(turn, { ...options, as });
  }

  async *history(): AsyncGenerator<RecordedEvent> {
    yield* (await this.#seat.reading()).history();
  }

  subscribe(listener: (event: ConversationEvent) => void): () => void {
    return this.#seat.subscribe(listener);
  }

  snapshot(): ConversationSnapshot {
    return this.#seat.snapshot();
  }

  settled(): Promise<Phase> {
    return this.#seat.settled();
  }

  close(): Promise<void> {
    return this.#seat.close();
  }

  #self(as?: string) {
    return requireSelf(this.team, this.company.role, as);
  }
}

export interface OpenSharedOptions extends SeatParts {
  /** Takes it from another process of the same role, although that one lives. */
  readonly takeOver?: boolean | undefined;
}

/** Opens a saved conversation of a shared store: holds it if no one does and this role may, follows it otherwise. */
export async function openShared({ takeOver = false, ...parts }: OpenSharedOptions): Promise<Conversation> {
  let conversation: DecidingConversation;
  try {
    conversation = await parts.hold({ takeOver });
  } catch (error) {
    const mayFollow = error instanceof ConversationLockedError || error instanceof NotInConversationError;
    if (takeOver || !mayFollow) throw error;
    return new JoinedConversation(await Seat.follow(parts));
  }
  return holdShared(parts, conversation);
}

/** Lets others take part in a conversation of a shared store that this process has open for writing. */
export async function holdShared(
  parts: SeatParts,
  conversation: DecidingConversation,
): Promise<Conversation> {
  try {
    return new JoinedConversation(await Seat.hold(parts, conversation));
  } catch (error) {
    await conversation.close();
    throw error;
  }
}
