import type { AgentEvent } from '../../models/AgentEvent.js';
import type { PermissionQuestion, TurnRequest } from '../AgentAdapter.js';
import { EventQueue } from '../acp/EventQueue.js';

/** A turn whose agent says what it is told to say. */
export class PlayedTurn {
  readonly #events = new EventQueue<AgentEvent>();
  /** Withdraw the questions that were asked. */
  readonly #questions = new Map<string, AbortController>();
  #request: TurnRequest | undefined;

  /** Everything the agent was asked with; undefined: its turn has not begun. */
  get request(): TurnRequest | undefined {
    return this.#request;
  }

  /** The events of the turn, until the agent leaves. */
  run(request: TurnRequest): AsyncIterable<AgentEvent> {
    this.#request = request;
    return this.#events;
  }

  say(...events: readonly AgentEvent[]): void {
    for (const event of events) this.#events.push(event);
  }

  /** Asks for permission. The answer changes nothing: what the agent did then is known. */
  ask(question: Omit<PermissionQuestion, 'signal'>): void {
    const withdrawal = new AbortController();
    this.#questions.set(question.requestId, withdrawal);
    void this.#request?.askPermission?.({ ...question, signal: withdrawal.signal });
  }

  withdraw(requestId: string): void {
    this.#questions.get(requestId)?.abort();
  }

  /** Nothing more comes of it. */
  leave(): void {
    this.#events.close();
  }
}
