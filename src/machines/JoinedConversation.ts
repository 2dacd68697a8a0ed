import type { Phase } from '../conversation/questions.js';
import type {
  Conversation,
  ConversationSnapshot,
  FileActionOptions,
  FileSelectionOptions,
  SendOptions,
} from '../coordinator/Conversation.js';
import type { ConversationPresence } from '../coordinator/ConversationPresence.js';
import type { DecidingConversation } from '../coordinator/Grant.js';
import type { FileAction } from '../files/actions/describeFileAction.js';
import type { FilesDiff } from '../files/actions/diffFiles.js';
import type { FileHistory } from '../files/changes/fileHistory.js';
import type { ConversationEvent, RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { HuddleError } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import { sanitizeSource } from '../routing/teamMembers.js';
import { ConversationLockedError, NotInConversationError } from '../store/storeErrors.js';
import { perform } from './CommandHandler.js';
import type { HolderCommand } from './commands.js';
import { type Part, Participant, type ParticipantParts } from './Participant.js';
import { requireSelf } from './PresenceBoard.js';

export interface OpenSharedOptions extends ParticipantParts {
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
    return new JoinedConversation(await Participant.join(parts));
  }
  return holdShared(parts, conversation);
}

/** Lets others take part in a conversation of a shared store that this process has open for writing. */
export async function holdShared(
  parts: ParticipantParts,
  conversation: DecidingConversation,
): Promise<Conversation> {
  try {
    return new JoinedConversation(await Participant.join(parts, conversation));
  } catch (error) {
    await conversation.close();
    throw error;
  }
}

/** Loaded when it is asked for. */
const FILES = () => import('../files/actions/filesOfConversation.js');

/**
 * A conversation in a store that others share: held by this process, or followed. Which of the two it is changes while it is
 * open: front ends notice by its `presence` only.
 */
class JoinedConversation implements Conversation {
  readonly #participant: Participant;

  constructor(participant: Participant) {
    this.#participant = participant;
  }

  get id(): ConversationId {
    return this.#participant.id;
  }

  get team(): Team {
    return this.#participant.team;
  }

  get presence(): ConversationPresence {
    return this.#participant.presence;
  }

  async send(content: string, { as, via }: SendOptions = {}): Promise<ConversationMessage> {
    const { name } = this.#self(as);
    const part = await this.#participant.partToStart();
    if (part.kind === 'holder') return this.#participant.say(part.conversation, content, { as: name, via });
    const [event] = await this.#ask({ kind: 'say', content, via: via && sanitizeSource(via) });
    if (event?.type !== 'message-added') throw new HuddleError('WISH_NOT_TAKEN', {});
    return event.message;
  }

  async cancel({ drop = false }: { readonly drop?: boolean } = {}): Promise<void> {
    await this.#do({ kind: 'cancel', drop }, this.#participant.partToAct());
  }

  async skipLook(): Promise<void> {
    await this.#do({ kind: 'skip-look' }, this.#participant.partToAct());
  }

  async pause(): Promise<void> {
    this.#self();
    await this.#do({ kind: 'pause' }, this.#participant.partToAct());
  }

  async resume(): Promise<void> {
    this.#self();
    await this.#do({ kind: 'resume' }, this.#participant.partToStart());
  }

  async retry(): Promise<number> {
    this.#self();
    const part = await this.#participant.partToStart();
    if (part.kind === 'holder') return part.conversation.retry();
    const events = await this.#ask({ kind: 'retry' });
    const queued = events.find((event) => event.type === 'turns-queued');
    return queued?.turns.filter(({ retryOf }) => retryOf !== undefined).length ?? 0;
  }

  async rename(title: string): Promise<void> {
    this.#self();
    await this.#do({ kind: 'rename', title }, this.#participant.partToStart());
  }

  async answerPermission(
    requestId: string,
    verdict: 'allow' | 'deny',
    { as }: { readonly as?: string } = {},
  ): Promise<void> {
    const { name } = this.#self(as);
    await this.#do({ kind: 'decide', requestId, verdict }, this.#participant.partToAct(), name);
  }

  async files(): Promise<FileHistory> {
    const { kind, conversation } = await this.#participant.settledPart();
    return kind === 'holder' ? conversation.files() : (await FILES()).readFiles(conversation, undefined);
  }

  async diff(what?: string, options: FileSelectionOptions = {}): Promise<FilesDiff> {
    const { kind, conversation } = await this.#participant.settledPart();
    if (kind === 'holder') return conversation.diff(what, options);
    return (await FILES()).readDiff(conversation, undefined, { what, paths: options.paths });
  }

  async undo(what?: string, options: FileActionOptions = {}): Promise<FileAction> {
    const { name: as } = this.#self(options.as);
    return (await this.#held()).undo(what, { ...options, as });
  }

  async apply(turn: string, options: FileActionOptions = {}): Promise<FileAction> {
    const { name: as } = this.#self(options.as);
    return (await this.#held()).apply(turn, { ...options, as });
  }

  async *history(): AsyncGenerator<RecordedEvent> {
    yield* (await this.#participant.settledPart()).conversation.history();
  }

  subscribe(listener: (event: ConversationEvent) => void): () => void {
    return this.#participant.subscribe(listener);
  }

  snapshot(): ConversationSnapshot {
    return this.#participant.snapshot();
  }

  settled(): Promise<Phase> {
    return this.#participant.settled();
  }

  close(): Promise<void> {
    return this.#participant.close();
  }

  #self(as?: string) {
    return requireSelf(this.team, this.presence.role, as);
  }

  /** The conversation that this process holds: the files are on the machine of the holder. */
  async #held(): Promise<DecidingConversation> {
    const part = await this.#participant.partToAct();
    if (part.kind === 'holder') return part.conversation;
    throw new HuddleError('FILES_ELSEWHERE', { holder: this.#participant.presence.holderName });
  }

  async #do(command: HolderCommand, choosing: Promise<Part>, as?: string): Promise<void> {
    const part = await choosing;
    if (part.kind === 'holder') await perform(part.conversation, command, as);
    else await this.#ask(command);
  }

  /** Asks the holder for something. Gives the first events that followed. */
  async #ask(command: HolderCommand): Promise<readonly RecordedEvent[]> {
    const events = await this.#participant.ask(command);
    const [first] = events;
    if (first?.type !== 'notice' || first.code !== 'wish-refused') return events;
    if (first.because === 'stranger') throw new HuddleError('ROLE_NOT_IN_TEAM', { role: first.role });
    throw first.because === 'empty'
      ? new HuddleError('EMPTY_MESSAGE', {})
      : new HuddleError('WISH_NOT_TAKEN', {});
  }
}
