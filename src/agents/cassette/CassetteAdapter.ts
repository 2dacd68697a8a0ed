import type { AgentEvent } from '../../models/AgentEvent.js';
import type { AgentAdapter, TurnRequest } from '../AgentAdapter.js';
import type { PlayedTurn } from './PlayedTurn.js';

/** Finds the turn that is asked for. */
export type FindTurn = (request: TurnRequest) => PlayedTurn;

/** Runs turns from a recording: no program is started, and being stopped changes none of its words. */
export class CassetteAdapter implements AgentAdapter {
  readonly #findTurn: FindTurn;
  readonly #onBegin: () => void;

  /** `onBegin` hears that a turn has begun. */
  constructor(findTurn: FindTurn, onBegin: () => void) {
    this.#findTurn = findTurn;
    this.#onBegin = onBegin;
  }

  runTurn(request: TurnRequest): AsyncIterable<AgentEvent> {
    const events = this.#findTurn(request).run(request);
    this.#onBegin();
    return events;
  }
}
