import type { TurnQueue } from '../conversation/TurnQueue.js';
import { explainTurns } from '../coordinator/explainTurn.js';
import { putSystemTextInPrompt } from '../models/AgentEvent.js';
import type { RecordedEvent, TurnStart } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import { compareFacts } from './compareFacts.js';
import type { Difference, NeverAsked, OtherPrompt } from './Difference.js';
import { type Cassette, memberOfTurn } from './openCassette.js';

/** A play of a recording. */
export interface Play {
  readonly events: readonly RecordedEvent[];
  /** The place where it went another way, if it did. */
  readonly parting: Parting | undefined;
  /** The text that a turn was sent. */
  readonly promptOf: (turnId: TurnId) => SentPromptText | undefined;
}

/** The place where a conversation went another way than its recording. */
export interface Parting {
  /** Turns that would start and are not recorded so; none: it came to rest. */
  readonly turns: TurnQueue;
}

interface SentPromptText {
  readonly prompt: string;
  readonly systemFlag?: string | undefined;
}

/** Finds everything in which a play differs from its recording, in the order of the recording. */
export async function comparePlay(recording: Cassette, play: Play): Promise<Difference[]> {
  const { events, from } = recording;
  const { parting } = play;
  const parted = parting === undefined ? [] : describeParting(recording, play, parting);
  const { differences, prompts } = compareFacts({
    history: events.slice(0, from),
    before: events.slice(from),
    now: play.events.slice(from),
    hasParted: parting !== undefined,
    hidesQueue: parted.length > 0,
  });
  // All that starts now is in the recording, one after the other.
  const early = parted.length > 0 ? [] : findTooEarly(recording, parting?.turns ?? []);
  const all = [...differences, ...(await comparePrompts(recording, play, prompts)), ...parted, ...early];
  // It came to rest where something else than a turn was to come.
  const [missing] = parting === undefined ? [] : events.slice(play.events.length);
  return all.length > 0 || missing === undefined ? all : [{ kind: 'fact', before: missing, isEnd: true }];
}

async function comparePrompts(
  { events }: Cassette,
  { promptOf }: Play,
  turns: readonly TurnStart[],
): Promise<OtherPrompt[]> {
  if (turns.length === 0) return [];
  const { diffPrompts } = await import('./diffPrompts.js');
  const wanted = new Set(turns.map(({ turnId }) => turnId));
  const differences: OtherPrompt[] = [];
  for await (const turn of explainTurns(events, (start) => wanted.has(start.turnId))) {
    const { turnId, memberId, output, hasSystemInPrompt } = turn;
    const made = promptOf(turnId) ?? { prompt: '' };
    const received = hasSystemInPrompt ? putSystemTextInPrompt(made) : made;
    const [before, now] = [wholeText(output), wholeText(received)];
    const diff = before === now ? ({ kind: 'unknown' } as const) : diffPrompts(before, now);
    differences.push({ kind: 'prompt', turnId, memberId, diff });
  }
  return differences;
}

/** The text of a turn as one: what is sent separately first. */
function wholeText({ prompt, systemFlag }: SentPromptText): string {
  return systemFlag === undefined ? prompt : `${systemFlag}\n\n${prompt}`;
}

function describeParting(recording: Cassette, { events }: Play, { turns }: Parting): Difference[] {
  const others = turns.flatMap(({ turnId, memberId }): Difference[] => {
    const recorded = memberOfTurn(recording, turnId);
    if (recorded === undefined) return [{ kind: 'not-recorded', turnId, memberId }];
    return recorded === memberId ? [] : [{ kind: 'other-member', turnId, memberId: recorded, now: memberId }];
  });
  if (others.length > 0) return others;
  const asked = new Set(
    [...turns, ...events.filter((event) => event.type === 'turn-start')].map(({ turnId }) => turnId),
  );
  const missing = findNeverAsked(recording.events, asked);
  // The right members, but not all who started together; or not together.
  const round = turns[0]?.blindRound;
  const isOfRound = ({ turnId }: NeverAsked): boolean =>
    round !== undefined && recording.starts.get(turnId)?.blindRound === round;
  return turns.length === 0 ? missing : missing.filter(isOfRound);
}

/** Turns that start now together with the next one of the recording, which starts without them. */
function findTooEarly({ starts }: Cassette, turns: TurnQueue): Difference[] {
  const next = [...starts.keys()].find((turnId) => turns.some((turn) => turn.turnId === turnId));
  return turns
    .filter(({ turnId }) => turnId !== next)
    .map(({ turnId, memberId }) => ({ kind: 'not-recorded', turnId, memberId }));
}

/** The turns that were recorded and do not start now, up to the next word of a person. */
function findNeverAsked(events: readonly RecordedEvent[], asked: ReadonlySet<TurnId>): NeverAsked[] {
  const rest: NeverAsked[] = [];
  for (const event of events) {
    if (event.type === 'message-added' && event.turnId === undefined && rest.length > 0) break;
    if (event.type !== 'turn-start' || asked.has(event.turnId)) continue;
    rest.push({ kind: 'never-asked', turnId: event.turnId, memberId: event.memberId });
  }
  return rest;
}
