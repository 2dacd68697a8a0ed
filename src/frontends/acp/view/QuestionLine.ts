import { untilAborted } from '../../../utils/untilAborted.js';
import { verdictOf } from './permissionCard.js';
import type { PermissionQuestionCard, ViewTarget } from './ViewTarget.js';

interface Question {
  readonly requestId: string;
  readonly card: PermissionQuestionCard;
  readonly withdrawn: AbortController;
}

/** Gives the answer to a permission request. */
type Answer = (requestId: string, verdict: 'allow' | 'deny') => void;

/**
 * The permission requests that a client is asked, one after the other. Only its choice of our option allows: any other answer,
 * an error, and a client that is gone deny.
 */
export class QuestionLine {
  readonly #ask: ViewTarget['askPermission'];
  readonly #answer: Answer;
  /** The first is being asked. */
  #questions: readonly Question[] = [];

  constructor(ask: ViewTarget['askPermission'], answer: Answer) {
    this.#ask = ask;
    this.#answer = answer;
  }

  add(requestId: string, card: PermissionQuestionCard): void {
    this.#questions = [...this.#questions, { requestId, card, withdrawn: new AbortController() }];
    if (this.#questions.length === 1) void this.#askFirst();
  }

  /** The question was decided otherwise, or its turn is over. */
  withdraw(requestId: string): void {
    for (const question of this.#questions) if (question.requestId === requestId) question.withdrawn.abort();
  }

  async #askFirst(): Promise<void> {
    for (let [first] = this.#questions; first !== undefined; [first] = this.#questions) {
      const { requestId, card, withdrawn } = first;
      const verdict = await this.#verdict(card, withdrawn.signal);
      if (verdict !== undefined) this.#answer(requestId, verdict);
      this.#questions = this.#questions.slice(1);
    }
  }

  /** Undefined: the question was withdrawn, be it before it was asked. */
  async #verdict(card: PermissionQuestionCard, signal: AbortSignal): Promise<'allow' | 'deny' | undefined> {
    if (signal.aborted) return undefined;
    try {
      const response = await untilAborted(this.#ask(card, signal), signal);
      return signal.aborted ? undefined : verdictOf(response);
    } catch {
      // The client could not ask, or is gone.
      return signal.aborted ? undefined : 'deny';
    }
  }
}
