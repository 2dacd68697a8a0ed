import { applyToStatus, INITIAL_STATUS } from '../conversation/ConversationStatus.js';
import { findChangedProfiles } from '../coordinator/memberProfile.js';
import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { Team } from '../models/Team.js';
import { utf8Length } from '../utils/bytes.js';
import { formatJson } from '../utils/formatJson.js';
import { MASK } from '../utils/redact.js';
import type { Difference } from './Difference.js';
import type { MaskedPlace } from './maskText.js';
import { InvalidCassetteError, MOST_MEGABYTES, openCassette } from './openCassette.js';
import { type PlayedCassette, playCassette } from './playCassette.js';
import { redactEvents } from './redact.js';

export interface RecordedLog {
  readonly events: readonly RecordedEvent[];
  /** The team that it is played with. */
  readonly team: Team;
  readonly place: MaskedPlace;
  readonly signal?: AbortSignal;
}

export interface MadeCassette {
  readonly cassette: readonly RecordedEvent[];
  /** Differences from the team, as it is now. */
  readonly differences: readonly Difference[];
  /** Number of places that were masked. */
  readonly masked: number;
}

/**
 * Makes a recording that may be committed out of a log, and plays it once. Of the team that it was held with, whatever
 * differs follows from the masks, and is accepted.
 *
 * @throws {@link InvalidCassetteError} (as a rejection) if it cannot be played, because a turn was cut off for instance.
 */
export async function makeCassette({ events, team, place, signal }: RecordedLog): Promise<MadeCassette> {
  openCassette({ events });
  requireRoom(events);
  const redacted = redactEvents(events, place);
  const masked = countMasks(redacted) - countMasks(events);
  const played = await playCassette({ events: redacted, team, place, signal });
  const isChanged = played.differences.length > 0 && isOfTeam(events, team);
  const accepted = isChanged ? acceptPlay(played) : undefined;
  if (accepted === undefined) return { cassette: redacted, differences: played.differences, masked };
  return { cassette: accepted, differences: [], masked };
}

/** Refuses what is too large to be opened again, before it is worked on. */
function requireRoom(events: readonly RecordedEvent[]): void {
  const bytes = events.reduce((sum, event) => sum + utf8Length(formatJson(event)) + 1, 0);
  if (bytes > MOST_MEGABYTES * 1024 ** 2)
    throw new InvalidCassetteError({ fault: { kind: 'too-large', megabytes: MOST_MEGABYTES } });
}

/** Whether the profiles and settings of the team are those of the log at its end. */
function isOfTeam(events: readonly RecordedEvent[], team: Team): boolean {
  const { memory } = events.reduce(applyToStatus, INITIAL_STATUS);
  return findChangedProfiles(team, memory.profiles).length === 0;
}

function countMasks(events: readonly RecordedEvent[]): number {
  return events.reduce((count, event) => count + JSON.stringify(event).split(MASK).length - 1, 0);
}

/** Differences after which the recorded answers belong to other turns. */
const OTHER_ORDER: ReadonlySet<Difference['kind']> = new Set(['other-member', 'not-recorded', 'never-asked']);

/** The recording with the prompts, settings and decisions of a play, and the answers it had; undefined if other turns ran. */
export function acceptPlay({
  events,
  differences,
}: Pick<PlayedCassette, 'events' | 'differences'>): readonly RecordedEvent[] | undefined {
  const isOtherOrder = (difference: Difference): boolean =>
    OTHER_ORDER.has(difference.kind) || (difference.kind === 'fact' && difference.isEnd === true);
  return differences.some(isOtherOrder) ? undefined : events;
}
