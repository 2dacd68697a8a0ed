import type { FailureFacts } from '../../models/TurnOutcome.js';
import type { JsonLines } from '../../utils/jsonLines.js';
import type { TurnRequest } from '../AgentAdapter.js';
import type { ReaderEvent, Verdict } from '../dialect/Dialect.js';
import type { LiveQuestions } from './LiveQuestions.js';

/** The turn that a running agent works for, as its protocol sees it. */
export interface LiveClient {
  readonly request: TurnRequest;
  /** Decides what the agent asks for. */
  readonly questions: LiveQuestions;
  /** Notes a sign of life. */
  noteOutput(): void;
  /** Settles when there is room for more events. */
  waitForRoom(): Promise<void>;
  /** Takes what the agent says. */
  say(events: readonly ReaderEvent[]): void;
  /** The agent is asked now, and may do something. Returns the function that ends that: its questions need no answer any more. */
  begin(cancel: () => void): () => void;
}

/** A protocol that is spoken with one running agent, from turn to turn. */
export interface LiveConnection {
  client: LiveClient | undefined;
  /** The agent's output as lines, with those that were no message. */
  readonly lines: JsonLines;
  /** Settles when everything the agent wrote has been passed on. */
  readonly ended: Promise<void>;
  /** Begins to speak, once. Rejects as `prompt` does. */
  open(): Promise<void>;
  /**
   * Asks the agent, and says what comes back to the turn. `undefined`: it did not say how the turn ended. Rejects with
   * LiveTurnError, and with the agent's own errors.
   */
  prompt(turn: LiveClient): Promise<Verdict | undefined>;
  /** Reads an error of the agent; `undefined`: it is no answer, and the agent gone. */
  explain(error: unknown): FailureFacts | undefined;
  /** From now on no request is answered. */
  stop(): void;
}

/** A turn cannot begin, for a reason that people can do something about. */
export class LiveTurnError extends Error {
  readonly failure: FailureFacts;

  constructor(failure: FailureFacts) {
    super(failure.reason);
    this.failure = failure;
  }
}
