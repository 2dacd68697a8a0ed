import type { RecordedEvent } from '../../models/ConversationEvent.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';
import { type FileUnit, keyOf, readFileHistory } from './fileHistory.js';

/**
 * Finds what to give to `undo`, in order, to put back everything that was changed in the working folder after a place in the
 * log. One range where that is exactly it; turns may run in another order than that of their numbers.
 */
export async function findChangedSince(
  events: AnyIterable<RecordedEvent>,
  seq: number,
): Promise<readonly string[]> {
  let before = 0;
  const counted = async function* () {
    for await (const event of events) {
      if (event.type === 'files-recorded' && event.seq <= seq) before++;
      yield event;
    }
  };
  const { units } = await readFileHistory(counted());
  const later = units.slice(before).filter(isLeft);
  const first = Math.min(...later.flatMap(numbersOf));
  const isRange = !units
    .slice(0, before)
    .filter(isLeft)
    .flatMap(numbersOf)
    .some((number) => number >= first);
  if (later.length === 0) return [];
  return isRange ? [`${first}..`] : later.toReversed().flatMap(({ names }) => names[0] ?? []);
}

/** Whether a turn changed something in the working folder that is still there. */
function isLeft({ by, copyOf, files, undone }: FileUnit): boolean {
  return by.kind === 'turns' && copyOf === undefined && files.some((file) => !undone.has(keyOf(file)));
}

function numbersOf({ names }: FileUnit): number[] {
  return names.map((name) => Number(/^turn-(\d+)$/u.exec(name)?.[1]));
}
