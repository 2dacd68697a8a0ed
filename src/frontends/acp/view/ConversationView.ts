import type {
  PromptResponse,
  RequestPermissionResponse,
  SessionUpdate,
  StopReason,
} from '@agentclientprotocol/sdk/unstable';
import type { Catalogue } from '../../../catalogue/words.js';
import type { Phase } from '../../../conversation/questions.js';
import type { Usage } from '../../../conversation/usage.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import type { ConversationEvent, RecordedEvent } from '../../../models/ConversationEvent.js';
import { untilAborted } from '../../../utils/untilAborted.js';
import { Plan } from './Plan.js';
import { SessionFold, type ViewStep } from './SessionFold.js';
import { splitLong } from './Thread.js';
import { ALLOW, type PermissionQuestionCard } from './ToolCards.js';
import { UpdateQueue } from './UpdateQueue.js';

/** The client of a session, as far as it is shown something. */
export interface ViewTarget {
  /** Sends an update; resolves when it is on the wire. Rejects once the client is gone. */
  update(update: SessionUpdate): Promise<void>;
  /** Asks a person. The signal withdraws the question. */
  askPermission(question: PermissionQuestionCard, signal: AbortSignal): Promise<RequestPermissionResponse>;
  /** The client understands `session.notices`. */
  readonly hasNotices: boolean;
}

interface ViewOptions {
  /** The folder agents work in: paths are shown from its root. */
  readonly folder: string;
  readonly words: Catalogue;
}

export interface ConversationViewOptions extends ViewOptions {
  /** Name of the person who answers permission requests. Default: the first person of the team. */
  readonly as?: string | undefined;
}

/** Shows a stored conversation as it is read: nothing more is read before the client has taken what was. */
export async function showHistory(
  events: AsyncIterable<RecordedEvent>,
  target: ViewTarget,
  options: ViewOptions,
): Promise<void> {
  const fold = new SessionFold({ ...options, isPast: true });
  const show = async (update: SessionUpdate): Promise<void> => {
    for (const part of splitLong(update)) await target.update(part);
  };
  for await (const event of events)
    for (const step of fold.take(event)) if (step.kind === 'update') await show(step.update);
  for (const update of fold.end()) await show(update);
}

/**
 * Shows a live conversation to a client, from now on until `close`. Between the end of a prompt and the next one nothing is
 * sent: what comes meanwhile is shown then.
 */
export class ConversationView {
  readonly #conversation: Conversation;
  readonly #target: ViewTarget;
  readonly #as: string | undefined;
  readonly #fold: SessionFold;
  readonly #queue: UpdateQueue;
  readonly #plan: Plan;
  readonly #unsubscribe: () => void;
  /** Permission requests that nobody has decided, and what withdraws them from the client. */
  readonly #undecided = new Map<string, AbortController>();
  /** The client is asked one question after the other. */
  #asking: Promise<unknown> = Promise.resolve();
  #unanswered = 0;

  constructor(
    conversation: Conversation,
    target: ViewTarget,
    { folder, words, as }: ConversationViewOptions,
  ) {
    const { team, presence } = conversation;
    const { state, messages } = conversation.snapshot();
    this.#conversation = conversation;
    this.#target = target;
    this.#as = as;
    this.#fold = new SessionFold({
      folder,
      words,
      members: team.members,
      hasNotices: target.hasNotices,
      usage: state.usage,
      maxBytes: team.context.maxBytes,
      hasTitle: messages.length > 0,
      // A role without a person in the team says nothing, and hears everyone.
      speaker: presence && (presence.speaker ?? ''),
    });
    this.#queue = new UpdateQueue((update) => target.update(update));
    this.#plan = new Plan({
      speakerOf: (id) => this.#fold.speakerOf(id),
      words,
      send: (entries) => this.#queue.add({ sessionUpdate: 'plan', entries }),
    });
    this.#unsubscribe = conversation.subscribe((event) => this.#take(event));
  }

  /** A prompt begins: its plan begins anew. */
  begin(): void {
    this.#fold.begin();
    this.#plan.begin();
    this.#queue.release();
  }

  /** Resolves when nothing is left to run and all of it is on the wire, with how the prompt is answered. */
  async finish(): Promise<Pick<PromptResponse, 'stopReason' | 'usage'>> {
    this.#unanswered += 1;
    this.#queue.release();
    try {
      const phase = await this.#conversation.settled();
      this.#plan.flush();
      await this.#queue.drained();
      return { stopReason: stopReasonOf(phase), ...tokenTotals(this.#fold.usage) };
    } finally {
      this.#unanswered -= 1;
      if (this.#unanswered === 0) this.#queue.hold();
    }
  }

  /** Shows nothing more. What was asked and not answered is denied. */
  close(): void {
    this.#unsubscribe();
    this.#plan.stop();
    for (const requestId of this.#undecided.keys()) {
      this.#withdraw(requestId);
      this.#answer(requestId, 'deny');
    }
    this.#queue.close();
  }

  #take(event: ConversationEvent): void {
    for (const step of this.#fold.take(event)) this.#perform(step);
    this.#plan.take(event);
  }

  #perform(step: ViewStep): void {
    if (step.kind === 'update') this.#queue.add(step.update);
    else if (step.kind === 'ask') this.#ask(step);
    else this.#withdraw(step.requestId);
  }

  /** Asks once the card of the call is with the client, and those before it are answered, unless it was decided by then. */
  #ask({ requestId, card }: Extract<ViewStep, { kind: 'ask' }>): void {
    const withdrawn = new AbortController();
    this.#undecided.set(requestId, withdrawn);
    this.#queue.after(() => {
      this.#asking = this.#asking.then(async () => {
        const verdict = await this.#verdict(card, withdrawn.signal);
        if (verdict !== undefined) this.#answer(requestId, verdict);
      });
    });
  }

  /**
   * Only the choice of our option allows: any other answer, an error, and a client that is gone deny. Undefined: it was decided
   * otherwise, or its turn is over.
   */
  async #verdict(card: PermissionQuestionCard, signal: AbortSignal): Promise<'allow' | 'deny' | undefined> {
    if (signal.aborted) return undefined;
    try {
      const response = await untilAborted(this.#target.askPermission(card, signal), signal);
      return signal.aborted ? undefined : verdictOf(response);
    } catch {
      // The client could not ask, or is gone.
      return signal.aborted ? undefined : 'deny';
    }
  }

  #withdraw(requestId: string): void {
    this.#undecided.get(requestId)?.abort();
    this.#undecided.delete(requestId);
  }

  #answer(requestId: string, verdict: 'allow' | 'deny'): void {
    const as = this.#as;
    // It was decided meanwhile, or the conversation is over: both are told by their own events.
    this.#conversation.answerPermission(requestId, verdict, { as }).catch(() => undefined);
  }
}

/** The verdict of an answer, whatever it is. */
function verdictOf(response: unknown): 'allow' | 'deny' {
  const { outcome, optionId }: { outcome?: unknown; optionId?: unknown } = Object(Object(response).outcome);
  return outcome === 'selected' && optionId === ALLOW ? 'allow' : 'deny';
}

/** The reason why a prompt is over. Never `refusal`: clients take the user's message out of the thread for it. */
function stopReasonOf(phase: Phase): StopReason {
  if (phase.kind !== 'paused') return 'end_turn';
  const { reason } = phase;
  if (reason.kind === 'cancelled') return 'cancelled';
  if (reason.kind !== 'limit') return 'end_turn';
  return reason.limit === 'tokens' ? 'max_tokens' : 'max_turn_requests';
}

/** The tokens of the conversation as the protocol counts them: what came from a cache apart from the rest. */
function tokenTotals({ total }: Usage): Pick<PromptResponse, 'usage'> {
  const { turns, inputTokens, cachedInputTokens, outputTokens } = total;
  if (turns === 0) return {};
  return {
    usage: {
      totalTokens: inputTokens + outputTokens,
      inputTokens: Math.max(0, inputTokens - cachedInputTokens),
      cachedReadTokens: cachedInputTokens,
      outputTokens,
    },
  };
}
