import type { TurnQueue } from '../conversation/TurnQueue.js';
import type { FileRound } from '../files/recorder/FileRound.js';
import type { TurnId } from '../models/ids.js';
import type { EndedTurn } from './concludeTurn.js';

/** Turns that start together: one, or those of a blind round. */
export class Round {
  readonly turns: TurnQueue;
  /** The folders they work in. Absent: all work in the one folder, and nothing is recorded. */
  readonly folders: TurnFolders | undefined;
  readonly #ended = new Map<TurnId, EndedTurn>();

  constructor(turns: TurnQueue, folders?: TurnFolders) {
    this.turns = turns;
    this.folders = folders;
  }

  /** Takes the end of a turn. Returns none until all have ended; then all, in the order of the round. */
  end(ended: EndedTurn): readonly EndedTurn[] {
    this.#ended.set(ended.turn.turnId, ended);
    if (this.#ended.size < this.turns.length) return [];
    return this.turns.flatMap(({ turnId }) => this.#ended.get(turnId) ?? []);
  }
}

/** The folders of turns that start together, as far as the turns need them. */
export type TurnFolders = Pick<FileRound, 'copyOf' | 'enter' | 'report' | 'end' | 'leave'>;

/** Decides when turns start, and gives them their folders in place of the recorder of files. */
export interface Pace {
  /** Settles when the next turns may be chosen. Whatever happened meanwhile counts for the choice. */
  untilNext(): Promise<void>;
  /** Settles when these turns may start; undefined: without folders of their own, or because the signal came first. */
  begin(turns: TurnQueue, signal: AbortSignal): Promise<TurnFolders | undefined>;
}
