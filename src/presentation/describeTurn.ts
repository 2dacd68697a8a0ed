import { formatRecent, formatSeconds } from '../catalogue/formats.js';
import { describeDecision, describeTrouble } from '../catalogue/tellings.js';
import type { WordsOf } from '../catalogue/words.js';
import type { WaitingEvent } from '../models/AgentEvent.js';
import type { Author, PermissionRecord, ShownMember, ToldTurn } from './Block.js';
import { type Doing, doingOf, type LiveTurn } from './LiveTurn.js';

/** The author of a message under a name that says who it really is, or through what it spoke. */
export function nameAuthor({ origin, ...member }: Author, words: WordsOf<'telling'>): ShownMember {
  const { agent, onMachine, via } = words.telling;
  switch (origin?.kind) {
    case undefined:
      return member;
    case 'role':
      return { ...member, name: `${member.name} (${origin.role})` };
    case 'agent':
      return { ...member, name: `${member.name} (${agent})` };
    case 'machine':
      return { ...member, name: `${member.name} (${onMachine(origin.machine)})` };
    case 'program':
      return { ...member, name: `${member.name} (${via(origin.name)})` };
  }
}

/** The failure of a turn and what to do about it; nothing if it only stopped. */
export function faultOf(
  { member, result }: ToldTurn,
  words: WordsOf<'joining' | 'telling' | 'failures'>,
): readonly string[] {
  if (result.kind !== 'failed' && result.kind !== 'timed-out') return [];
  const { what, hint } = describeTrouble(member.name, result, words);
  return [words.joining.sentence(what), hint];
}

/** The part that arrived of an answer that was not completed. */
export function draftOf({ result }: ToldTurn): string {
  return result.kind === 'completed' ? '' : result.draft;
}

/** Describes what came of a permission request. */
export function describeRecord(
  { decision, by, person = '', allowEntry }: PermissionRecord,
  words: WordsOf<'decisions'>,
): string {
  if (decision === undefined || by === undefined) return words.decisions.cancelled;
  return describeDecision({ decision, by, person, allowEntry }, words);
}

/** Says what a running turn is doing. */
export function describeDoing(turn: LiveTurn, words: WordsOf<'telling' | 'elsewhere'>): string {
  const { name } = turn.member;
  const [doing, about] = doingOf(turn);
  return doing === 'elsewhere'
    ? describeWaiting(name, about, words)
    : words.telling.doing[doing](name, about);
}

/** `Waiting for gpu_box to run sarah (last seen 3 h ago)`, `sarah waits: acme-codex has 6 of 6`. */
export function describeWaiting(
  name: string,
  waiting: WaitingEvent,
  words: WordsOf<'elsewhere' | 'telling'>,
): string {
  const { worker, lastSeen, account, running = 0, atOnce = 0 } = waiting;
  const { waits, seen, never, busy, full } = words.elsewhere;
  if (account !== undefined) return full(name, account, running, atOnce);
  if (lastSeen === undefined) return waits(name, worker, never);
  if (lastSeen === 0) return waits(name, worker, busy);
  const now = Date.now();
  return waits(name, worker, seen(formatRecent(now - lastSeen * 1000, now, words)));
}

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
export function describeSilence(
  turn: LiveTurn,
  milliseconds: number,
  words: WordsOf<'telling'>,
): Silence | undefined {
  const [doing] = doingOf(turn);
  if (doing === 'waiting' || doing === 'elsewhere' || milliseconds < SILENT_MILLISECONDS) return undefined;
  const text = words.telling.noOutput(turn.member.name, formatSeconds(milliseconds, words));
  return { text, isAllThereIs: VAGUE_WORK.includes(doing) };
}
