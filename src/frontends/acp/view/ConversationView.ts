import type { PromptResponse } from '@agentclientprotocol/sdk/unstable';
import type { Conversation } from '../../../coordinator/Conversation.js';
import type { ConversationEvent } from '../../../models/ConversationEvent.js';
import { findMember } from '../../../models/findMember.js';
import type { MemberId } from '../../../models/ids.js';
import { LiveFold, type ViewStep } from './LiveFold.js';
import { PlanPace } from './PlanPace.js';
import { QuestionLine } from './QuestionLine.js';
import { stopReasonOf } from './stopReason.js';
import { applyToTurns, openTurns, planEntries, type TurnList } from './TurnList.js';
import type { NamedSpeaker } from './TurnSpeech.js';
import { UpdateQueue } from './UpdateQueue.js';
import { tokenTotals } from './usageNews.js';
import type { ViewOptions, ViewTarget } from './ViewTarget.js';

export interface ConversationViewOptions extends ViewOptions {
  /** Name of the person who answers permission requests. Default: the first person of the team. */
  readonly as?: string | undefined;
}

/**
 * Shows a live conversation to a client, from now on until `close`. Between the end of a prompt and the next one nothing is
 * sent: what comes meanwhile is shown then.
 */
export class ConversationView {
  readonly #conversation: Conversation;
  readonly #fold: LiveFold;
  readonly #queue: UpdateQueue;
  readonly #answer: (requestId: string, verdict: 'allow' | 'deny') => void;
  readonly #questions: QuestionLine;
  readonly #plan: PlanPace;
  readonly #unsubscribe: () => void;
  /** Permission requests that nobody has decided. */
  readonly #undecided = new Set<string>();
  #turns: TurnList = [];
  #unanswered = 0;

  constructor(conversation: Conversation, target: ViewTarget, { folder, as }: ConversationViewOptions) {
    const { team } = conversation;
    const { state, messages } = conversation.snapshot();
    const speakerOf = (id: MemberId): NamedSpeaker => findMember(team, id) ?? { name: id };
    this.#conversation = conversation;
    this.#fold = new LiveFold({
      speakerOf,
      folder,
      hasNotices: target.hasNotices,
      usage: state.usage,
      maxBytes: team.context.maxBytes,
      hasTitle: messages.length > 0,
      // A role without a person in the team says nothing, and hears everyone.
      speaker: conversation.company && (conversation.company.speaker ?? ''),
    });
    this.#queue = new UpdateQueue((update) => target.update(update));
    this.#plan = new PlanPace(
      () => planEntries(this.#turns, speakerOf),
      (entries) => this.#queue.add({ sessionUpdate: 'plan', entries }),
    );
    this.#answer = (requestId, verdict) => {
      // It was decided meanwhile, or the conversation is over: both are told by their own events.
      conversation
        .answerPermission(requestId, verdict, as === undefined ? {} : { as })
        .catch(() => undefined);
    };
    this.#questions = new QuestionLine((card, signal) => target.askPermission(card, signal), this.#answer);
    this.#unsubscribe = conversation.subscribe((event) => this.#take(event));
  }

  /** A prompt begins: its plan begins anew. */
  begin(): void {
    this.#turns = openTurns(this.#turns);
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
    for (const requestId of this.#undecided) {
      this.#undecided.delete(requestId);
      this.#questions.withdraw(requestId);
      this.#answer(requestId, 'deny');
    }
    this.#queue.close();
  }

  #take(event: ConversationEvent): void {
    for (const step of this.#fold.take(event)) this.#perform(step);
    const turns = applyToTurns(this.#turns, event);
    if (turns === this.#turns) return;
    this.#turns = turns;
    this.#plan.note();
  }

  #perform(step: ViewStep): void {
    if (step.kind === 'update') this.#queue.add(step.update);
    else if (step.kind === 'ask') this.#ask(step);
    else {
      this.#undecided.delete(step.requestId);
      this.#questions.withdraw(step.requestId);
    }
  }

  /** Asks once the card of the call is with the client, unless it was decided by then. */
  #ask({ requestId, card }: Extract<ViewStep, { kind: 'ask' }>): void {
    this.#undecided.add(requestId);
    this.#queue.after(() => {
      if (this.#undecided.has(requestId)) this.#questions.add(requestId, card);
    });
  }
}
