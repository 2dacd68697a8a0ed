import type { AgentManager } from '../agents/AgentManager.js';
import { english } from '../catalogue/english.js';
import type { ContextManager } from '../context/ContextManager.js';
import {
  type ConversationEvent,
  type ConversationFact,
  EVENT_VERSION,
  type QueuedTurn,
  type RecordedEvent,
} from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { HuddleError, PromptBudgetError } from '../models/errors.js';
import type { ConversationId, TurnId } from '../models/ids.js';
import type { AgentMember, HumanMember, Member, Team } from '../models/Team.js';
import { countRoom, findReachedLimit } from '../routing/limits.js';
import { MessageRouter } from '../routing/MessageRouter.js';
import { nextTurns, type TurnQueue } from '../routing/TurnQueue.js';
import type { ConversationLog } from '../store/Store.js';
import { type Broadcast, createBroadcast } from '../utils/broadcast.js';
import { foldName } from '../utils/foldName.js';
import type { Logger } from '../utils/logger.js';
import { Checkpoints } from './Checkpoints.js';
import type { Conversation, ConversationSnapshot } from './Conversation.js';
import { applyFact, type ConversationState, type Phase, phaseOf } from './ConversationState.js';
import { describeRoute, describeSend } from './debugLines.js';
import { createBrief } from './memberBrief.js';
import { type MemberMemory, remember } from './memberMemory.js';
import { type PreparedPrompt, preparePrompt } from './preparePrompt.js';
import { resendAfterLostSession } from './resendAfterLostSession.js';
import { retryTurns } from './retryTurns.js';
import { claimsAnother, routeMessage } from './routeMessage.js';
import { type FinishedTurn, runTurn } from './runTurn.js';
import { INITIAL_STANDING, type Standing } from './standing.js';
import { endTurn, noteTrim, refuseTurn } from './turnFacts.js';

export interface CoordinatorParts {
  readonly id: ConversationId;
  readonly team: Team;
  readonly context: ContextManager;
  readonly log: ConversationLog;
  readonly agents: AgentManager;
  readonly logger: Logger;
  readonly clock: () => number;
  /** How the conversation stands when it is opened again; messages and task are in `context` then. */
  readonly standing?: Standing;
}

/**
 * Runs a conversation. It decides what happens next and writes it down; what the conversation is follows from what is
 * written. The loop runs while there is something to do and is started by whatever may have changed that.
 */
export class ConversationCoordinator implements Conversation {
  readonly #parts: CoordinatorParts;
  readonly #router = new MessageRouter();
  readonly #broadcast: Broadcast<ConversationEvent>;
  readonly #checkpoints: Checkpoints;
  #state: ConversationState;
  #memory: MemberMemory;
  #loop: Promise<void> | null = null;
  /** Of the turns that run now. */
  #abort = new AbortController();
  #isClosed = false;

  constructor(parts: CoordinatorParts) {
    this.#parts = parts;
    const { state, memory } = parts.standing ?? INITIAL_STANDING;
    this.#state = state;
    this.#memory = memory;
    this.#checkpoints = new Checkpoints(parts.log, parts.logger);
    this.#broadcast = createBroadcast((error) => parts.logger.error?.(`A listener failed: ${String(error)}`));
  }

  get id(): ConversationId {
    return this.#parts.id;
  }

  get team(): Team {
    return this.#parts.team;
  }

  /** Writes facts down, all or none, and only then lets them count. */
  record(facts: readonly ConversationFact[]): void {
    if (facts.length === 0) return;
    for (const event of this.#parts.log.append(facts)) {
      this.#state = applyFact(this.#state, event);
      this.#memory = remember(this.#memory, event);
      if (event.type === 'message-added') this.#parts.context.addMessage(event.message);
      if (event.type === 'task-changed') this.#parts.context.setTeamTask(event.task);
      this.#broadcast.send(event);
    }
    this.#checkpoints.consider(() => this.#standing());
  }

  send(content: string, { as }: { readonly as?: string } = {}): ConversationMessage {
    return this.sendMessage(content, as);
  }

  /** Stores what a person says, routes it and sets the loop going. */
  sendMessage(content: string, as?: string): ConversationMessage {
    this.#requireOpen();
    const speaker = this.#findHuman(as);
    const { message, facts } = this.#prepareMessage(content, speaker);
    const resume: ConversationFact[] =
      this.#state.pause === null ? [] : [{ type: 'conversation-resume', pastLimit: false }];
    this.record([...resume, ...facts]);
    this.#wake();
    return message;
  }

  cancel(): void {
    if (this.#state.running.length === 0) return;
    if (this.#state.pause === null)
      this.record([{ type: 'conversation-pause', reason: { kind: 'cancelled' } }]);
    this.#abort.abort();
  }

  pause(): void {
    this.#requireOpen();
    if (this.#state.pause === null) this.record([{ type: 'conversation-pause', reason: { kind: 'asked' } }]);
  }

  resume(): void {
    this.#requireOpen();
    if (this.#state.pause === null) return;
    this.record([{ type: 'conversation-resume', pastLimit: true }]);
    this.#wake();
  }

  retry(): number {
    this.#requireOpen();
    const turns = retryTurns(this.#memory.unfinished, this.#state.turnCount);
    if (turns.length === 0) return 0;
    const isPaused = this.#state.pause !== null;
    this.record([
      ...(isPaused ? [{ type: 'conversation-resume', pastLimit: false } as const] : []),
      { type: 'turns-queued', turns, place: 'front' },
    ]);
    this.#wake();
    return turns.length;
  }

  history(): Iterable<RecordedEvent> {
    return this.#parts.log.read();
  }

  subscribe(listener: (event: ConversationEvent) => void): () => void {
    return this.#broadcast.subscribe(listener);
  }

  snapshot(): ConversationSnapshot {
    return {
      phase: phaseOf(this.#state),
      messages: this.#parts.context.getMessages(),
      teamTask: this.#parts.context.getTeamTask(),
      queue: this.#state.queue,
      ledger: this.#state.ledger,
    };
  }

  async settled(): Promise<Phase> {
    while (this.#loop !== null) await this.#loop;
    return phaseOf(this.#state);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#abort.abort();
    try {
      await this.#loop;
    } finally {
      this.#checkpoints.save(this.#standing());
      this.#parts.log.close();
    }
  }

  #wake(): void {
    this.#loop ??= this.#runLoop().finally(() => {
      this.#loop = null;
    });
    // Whoever awaits `settled` hears of a failure; nobody has to.
    this.#loop.catch(() => undefined);
  }

  async #runLoop(): Promise<void> {
    for (let turns = this.#takeTurns(); turns.length > 0; turns = this.#takeTurns()) {
      this.#abort = new AbortController();
      await this.#runTurns(turns);
    }
  }

  /** The turns to run now; none when the conversation is over, paused or has just reached a limit. */
  #takeTurns(): TurnQueue {
    const { queue, pause, counters } = this.#state;
    if (this.#isClosed || pause !== null || queue.length === 0) return [];
    const reason = findReachedLimit(counters, this.team.limits);
    if (reason !== null) {
      this.record([{ type: 'conversation-pause', reason }]);
      return [];
    }
    return nextTurns(queue).slice(0, countRoom(counters, this.team.limits));
  }

  /** One turn, or a blind round: everybody starts from the same moment, and the answers are revealed together. */
  async #runTurns(turns: TurnQueue): Promise<void> {
    const runs = await Promise.allSettled(turns.map((turn) => this.sendToAgent(turn)));
    for (const run of runs) {
      if (run.status === 'rejected') throw run.reason;
      this.record(run.value());
    }
  }

  /** Runs one turn. What follows from it is worked out when it is its answer's turn to be revealed. */
  async sendToAgent(turn: QueuedTurn): Promise<() => ConversationFact[]> {
    const member = this.#findAgent(turn);
    const start = this.#parts.clock();
    try {
      const prepared = this.#preparePrompt(member, turn);
      this.record([
        { type: 'turn-start', ...turn, prompt: prepared.sent },
        ...noteTrim(member, prepared.output),
      ]);
      this.#parts.logger.debug?.(describeSend(member, prepared.output));
      const finished = await this.#followTurn(member, turn, prepared);
      return () => this.#finishTurn(member, turn, finished, this.#parts.clock() - start);
    } catch (error) {
      if (error instanceof PromptBudgetError) return () => refuseTurn(turn, error);
      this.#abort.abort();
      throw error;
    }
  }

  #preparePrompt(member: AgentMember, turn: QueuedTurn): PreparedPrompt {
    const { sessions, briefs } = this.#memory;
    const session = member.memory === 'session' ? sessions.get(member.id) : undefined;
    const knowsSystemText =
      session !== undefined && session.systemSha256 === briefs.get(member.id)?.systemSha256;
    return preparePrompt(this.#parts.context, {
      brief: createBrief(this.team, member),
      turn,
      ...(session && { session }),
      knowsSystemText,
    });
  }

  #followTurn(
    member: AgentMember,
    turn: QueuedTurn,
    { output, session }: PreparedPrompt,
  ): Promise<FinishedTurn> {
    const { turnId, memberId } = turn;
    const sessionTotals =
      session.kind === 'resume' ? this.#memory.sessions.get(member.id)?.totals : undefined;
    const request = { ...output, session, ...(sessionTotals && { sessionTotals }) };
    const events = this.#parts.agents.runTurn(member, request, this.#abort.signal);
    return runTurn(events, {
      onActivity: (event) => this.record([{ type: 'turn-activity', turnId, memberId, event }]),
      onProgress: (event) => {
        if (turn.blindRound !== undefined) return;
        const at = this.#parts.clock();
        this.#broadcast.send({ type: 'turn-progress', v: EVENT_VERSION, at, turnId, memberId, event });
      },
    });
  }

  #finishTurn(
    member: AgentMember,
    turn: QueuedTurn,
    finished: FinishedTurn,
    milliseconds: number,
  ): ConversationFact[] {
    const { outcome } = finished;
    const text = outcome.kind === 'completed' ? outcome.text.trim() : '';
    if (text === '') {
      const end = endTurn(member, turn, finished, {
        milliseconds,
        messageId: null,
        prices: this.team.prices,
      });
      return [...end, ...resendAfterLostSession(end, member, this.#memory, this.#state.turnCount)];
    }
    const { message, facts } = this.#prepareMessage(text, member, turn.turnId);
    const end = endTurn(member, turn, finished, {
      milliseconds,
      messageId: message.id,
      prices: this.team.prices,
    });
    return [...end, ...facts];
  }

  /** A message as it will be kept, and everything that follows from it; nothing has happened yet. */
  #prepareMessage(
    content: string,
    speaker: Member,
    turnId?: TurnId,
  ): { message: ConversationMessage; facts: ConversationFact[] } {
    const parsed = this.#router.parseMessage(content, speaker.type);
    const route = routeMessage(parsed, speaker, this.team, this.#state);
    const addressees = route.addressees.map(({ name }) => name);
    const claimedFrom = claimsAnother(parsed, speaker) ? parsed.claimedFrom : null;
    const message = this.#parts.context.previewMessage({
      content,
      speaker: {
        roleId: speaker.id,
        roleName: speaker.name,
        ...(speaker.title !== undefined && { roleTitle: speaker.title }),
        type: speaker.type,
      },
      routing: {
        ...(addressees.length > 0 && { resolvedAddressees: addressees }),
        ...(claimedFrom !== null && { claimedFrom }),
      },
    });
    const added: ConversationFact = {
      type: 'message-added',
      message,
      ...(turnId !== undefined && { turnId }),
    };
    const followUp = route.followUp(message.id);
    this.#parts.logger.debug?.(describeRoute(message, followUp));
    return { message, facts: [added, ...followUp] };
  }

  #standing(): Standing {
    return { state: this.#state, memory: this.#memory, teamTask: this.#parts.context.getTeamTask() };
  }

  #findHuman(name: string | undefined): HumanMember {
    const people = this.team.members.filter((member): member is HumanMember => member.type === 'human');
    const speaker =
      name === undefined ? people[0] : people.find((person) => foldName(person.name) === foldName(name));
    if (speaker !== undefined) return speaker;
    throw new HuddleError(
      'UNKNOWN_SPEAKER',
      english.unknownSpeaker(
        name,
        people.map((person) => person.name),
      ),
    );
  }

  #findAgent({ memberId }: QueuedTurn): AgentMember {
    const member = this.team.members.find(({ id }) => id === memberId);
    if (member?.type === 'ai') return member;
    throw new TypeError(`A turn was queued for ${memberId}, who is no agent of this team`);
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new HuddleError('CONVERSATION_CLOSED', english.conversationClosed());
  }
}
