import type { TurnQueue } from '../conversation/TurnQueue.js';
import type { FileRound } from './files/FileRound.js';

/** The folders of turns that start together, as far as the turns need them. */
export type TurnFolders = Pick<FileRound, 'copyOf' | 'enter' | 'report' | 'end' | 'leave'>;

/** Decides when turns start, and gives them their folders in place of the recorder of files. */
export interface Pace {
  /** Settles when the next turns may be chosen. Whatever happened meanwhile counts for the choice. */
  untilNext(): Promise<void>;
  /** Settles when these turns may start; undefined: without folders of their own, or because the signal came first. */
  begin(turns: TurnQueue, signal: AbortSignal): Promise<TurnFolders | undefined>;
}
