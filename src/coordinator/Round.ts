import type { TurnQueue } from '../conversation/TurnQueue.js';
import type { TurnId } from '../models/ids.js';
import type { TurnFolders } from './Pace.js';
import type { EndedTurn } from './turnFacts.js';

/** Turns that start together: one, or those of a blind round. */
export class Round {
  readonly turns: TurnQueue;
  /** The folders they work in. Absent: all work in the one folder, and nothing is recorded. */
  readonly files: TurnFolders | undefined;
  readonly #ended = new Map<TurnId, EndedTurn>();

  constructor(turns: TurnQueue, files: TurnFolders | undefined) {
    this.turns = turns;
    this.files = files;
  }

  /** Takes the end of a turn. Returns none until all have ended; then all, in the order of the round. */
  end(ended: EndedTurn): readonly EndedTurn[] {
    this.#ended.set(ended.turn.turnId, ended);
    if (this.#ended.size < this.turns.length) return [];
    return this.turns.flatMap(({ turnId }) => this.#ended.get(turnId) ?? []);
  }
}
