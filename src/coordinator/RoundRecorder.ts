import type { AgentManager } from '../agents/AgentManager.js';
import type { ActivityEvent, AgentEvent, ProgressEvent } from '../models/AgentEvent.js';
import type { ConversationFact, Notice, QueuedTurn } from '../models/ConversationEvent.js';
import type { ConversationLog, Taking } from '../store/Store.js';
import type { TurnRecorder } from './followTurn.js';
import type { Ledger } from './Ledger.js';
import type { Round } from './Round.js';
import type { EndedTurn } from './turnFacts.js';

interface RoundRecorderParts {
  readonly agents: Pick<AgentManager, 'reportOf'>;
  readonly log: Pick<ConversationLog, 'saveAnswer'>;
}

/** Takes what comes of the turns of one round. */
export class RoundRecorder implements TurnRecorder {
  readonly #parts: RoundRecorderParts;
  readonly #ledger: Ledger;
  readonly #round: Round;
  readonly #end: (ended: EndedTurn) => void;

  constructor(parts: RoundRecorderParts, ledger: Ledger, round: Round, end: (ended: EndedTurn) => void) {
    this.#parts = parts;
    this.#ledger = ledger;
    this.#round = round;
    this.#end = end;
  }

  record(facts: readonly ConversationFact[], taking?: Taking): void {
    this.#ledger.record(facts, taking);
  }

  show(turn: QueuedTurn, event: ProgressEvent): void {
    this.#ledger.showProgress(turn, event);
  }

  end(ended: EndedTurn): void {
    this.#end(ended);
  }

  noteFiles(turn: QueuedTurn, event: ActivityEvent): readonly Notice[] {
    return this.#round.files?.report(turn, event) ?? [];
  }

  saveAnswer({ turnId }: QueuedTurn, text: string): Promise<string> | undefined {
    return this.#parts.log.saveAnswer?.(turnId, text);
  }

  reportOf(event: AgentEvent): number | undefined {
    return this.#parts.agents.reportOf(event);
  }

  whenRoom(): Promise<void> | undefined {
    return this.#ledger.isFull ? this.#ledger.kept() : undefined;
  }
}
