import { formatSeconds } from '../catalogue/formats.js';
import { words } from '../catalogue/words.js';
import { type Doing, doingOf, type LiveTurn } from './LiveTurn.js';

const SILENT_MILLISECONDS = 15_000;
/** Work of which nothing is known but that it continues. */
const VAGUE_WORK: readonly Doing[0][] = ['thinking', 'replying'];

/** A turn that has given no sign for long, in words. */
export interface Silence {
  readonly text: string;
  /** There is nothing better to say about the turn. */
  readonly isAllThereIs: boolean;
}

/** Describes the silence since the last event of a turn; undefined if it is short, or if the turn waits for a person. */
export function describeSilence(turn: LiveTurn, milliseconds: number): Silence | undefined {
  const [doing] = doingOf(turn);
  if (doing === 'waiting' || doing === 'elsewhere' || milliseconds < SILENT_MILLISECONDS) return undefined;
  const text = words.telling.noOutput(turn.member.name, formatSeconds(milliseconds));
  return { text, isAllThereIs: VAGUE_WORK.includes(doing) };
}
