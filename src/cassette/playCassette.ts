import { homedir } from 'node:os';
import type { RecordedEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { Team } from '../models/Team.js';
import { comparePlay } from './comparePlay.js';
import type { Difference } from './Difference.js';
import { formatDifferences } from './formatDifferences.js';
import { maskTeam } from './maskTeam.js';
import type { MaskedPlace } from './maskText.js';
import { type Cassette, type CassetteSource, openCassette } from './openCassette.js';
import { Player } from './Player.js';

/** Everything counts; or only who is asked, in which order, and what is decided. */
export type CassetteMatch = 'all' | 'order';

/** Options of `playCassette`: the cassette is a file, or its events. */
export type PlayCassetteOptions = CassetteSource & PlayOptions;

/** Options of a play. */
export interface PlayOptions {
  /** The team of now. */
  readonly team: Team;
  /** Default: `all`. With `order`, other prompts and settings are notes. */
  readonly match?: CassetteMatch;
  /** The machine whose folders and secrets a masked cassette does not have. Default: this one, and the current folder. */
  readonly place?: MaskedPlace;
  /** Ends the play. */
  readonly signal?: AbortSignal | undefined;
}

export interface PlayedCassette {
  /** The conversation as it was played, with the times of the recording. */
  readonly events: readonly RecordedEvent[];
  readonly differences: readonly Difference[];
  /** Differences that do not count. */
  readonly notes: readonly Difference[];
}

/** A played conversation differs from its recording. */
export class CassetteDiffersError extends HuddleError<'CASSETTE_DIFFERS'> {
  readonly differences: readonly Difference[];

  constructor(differences: readonly Difference[], names: ReadonlyMap<string, string>) {
    super('CASSETTE_DIFFERS', {
      count: differences.length,
      text: formatDifferences(differences, names).join('\n'),
    });
    this.differences = differences;
  }
}

/**
 * Plays a recorded conversation with the team of now: every prompt is made and every decision taken anew, and agents say
 * what they said then. Starts no program, writes nothing and costs nothing.
 *
 * @throws {@link InvalidCassetteError} (as a rejection) if the cassette cannot be played.
 *
 * @example
 * ```ts
 * const { differences } = await playCassette({ team, file: 'review.cassette.jsonl' });
 * ```
 */
export async function playCassette(options: PlayCassetteOptions): Promise<PlayedCassette> {
  return playOpened(openCassette(options), options);
}

/** Plays a cassette that was opened before. */
export async function playOpened(
  recording: Cassette,
  { team, match = 'all', place = thisPlace(), signal }: PlayOptions,
): Promise<PlayedCassette> {
  const player = new Player(recording, recording.isRedacted ? maskTeam(team, place) : team);
  const parting = await player.play(signal);
  const { events } = player.log;
  const all = await comparePlay(recording, {
    events,
    parting,
    promptOf: (turnId) => player.promptOf(turnId),
  });
  const isNote = ({ kind }: Difference): boolean =>
    match === 'order' && (kind === 'prompt' || kind === 'settings');
  return { events, differences: all.filter((one) => !isNote(one)), notes: all.filter(isNote) };
}

/**
 * Plays a cassette like `playCassette`, for tests.
 *
 * @throws {@link CassetteDiffersError} (as a rejection) with all differences, in words, if there are any.
 *
 * @example
 * ```ts
 * await assertPlays({ team, file: 'review.cassette.jsonl' });
 * ```
 */
export async function assertPlays(options: PlayCassetteOptions): Promise<PlayedCassette> {
  const played = await playCassette(options);
  if (played.differences.length > 0)
    throw new CassetteDiffersError(played.differences, namesOfMembers(played.events, options.team));
  return played;
}

/** Names of members by their ids, of the recording and of the team of now. */
export function namesOfMembers(events: readonly RecordedEvent[], team: Team): ReadonlyMap<string, string> {
  const [start] = events;
  const recorded = start?.type === 'conversation-start' ? start.team.members : [];
  return new Map([...recorded, ...team.members].map(({ id, name }) => [id, name]));
}

function thisPlace(): MaskedPlace {
  return { folder: process.cwd(), home: homedir(), env: process.env };
}
