import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { Difference } from './Difference.js';

/** Differences after which the recorded answers belong to other turns. */
const OTHER_ORDER: ReadonlySet<Difference['kind']> = new Set(['other-member', 'not-recorded', 'never-asked']);

/** A recording as it was played. */
interface Play {
  readonly events: readonly RecordedEvent[];
  readonly differences: readonly Difference[];
}

/** The recording with the prompts, settings and decisions of a play, and the answers it had; undefined if other turns ran. */
export function acceptPlay({ events, differences }: Play): readonly RecordedEvent[] | undefined {
  return differences.some(isOtherOrder) ? undefined : events;
}

function isOtherOrder(difference: Difference): boolean {
  return OTHER_ORDER.has(difference.kind) || (difference.kind === 'fact' && difference.isEnd === true);
}
