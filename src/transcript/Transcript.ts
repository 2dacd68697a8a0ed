import { formatDuration, formatUsage } from '../catalogue/formats.js';
import { dutiesOf, kindAndTitle, rightsInLog } from '../catalogue/members.js';
import type { Usage } from '../conversation/usage.js';
import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { ConversationId } from '../models/ids.js';
import type { Block, ShownMember, ToldTurn, TurnWork } from '../presentation/Block.js';
import { NEW_TELLING } from '../presentation/Telling.js';
import { tell } from '../presentation/tell.js';
import type { AnyIterable } from '../utils/AnyIterable.js';

/** A conversation as people read it: what was said, done and spent, in order. */
export interface Transcript {
  readonly conversationId: ConversationId;
  readonly teamName: string;
  readonly members: readonly ShownMember[];
  readonly isRehearsal: boolean;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly teamTask: string | null;
  readonly entries: readonly TranscriptEntry[];
  readonly usage: Usage;
}

/** The blocks that stand for themselves; all that an agent did in a turn is with the message or the turn. */
export type TranscriptEntry = ToldEntry | OpenTurnEntry;

type ToldEntry = Extract<Block, { readonly at: number }>;

/** A turn in the middle of which the log ends: because it is still being written, or because that was the end. */
interface OpenTurnEntry extends TurnWork {
  readonly kind: 'open-turn';
  readonly at: number;
}

/**
 * Reads a whole log as people read it, for `formatMarkdown` and `formatHtml`.
 *
 * @param events `conversation.history()`, or `reader.read()` of a store.
 */
export async function createTranscript(events: AnyIterable<RecordedEvent>): Promise<Transcript> {
  const entries: TranscriptEntry[] = [];
  let telling = NEW_TELLING;
  let [startedAt, endedAt] = [0, 0];
  for await (const event of events) {
    endedAt = event.at;
    startedAt ||= endedAt;
    const step = tell(telling, event);
    telling = step.telling;
    entries.push(...step.blocks.filter((block): block is ToldEntry => 'at' in block));
  }
  const { start, members, task, conversation, turns } = telling;
  for (const { ended, ...turn } of turns)
    if (ended === undefined) entries.push({ ...turn, kind: 'open-turn', at: endedAt });
  return {
    conversationId: start?.conversationId ?? ('' as ConversationId),
    teamName: start?.team.name ?? '',
    members,
    isRehearsal: start?.isRehearsal ?? false,
    startedAt,
    endedAt,
    teamTask: task,
    entries,
    usage: conversation.usage,
  };
}

/** Facts about a member besides its name: program, title and permission. */
export function factsOf(member: ShownMember): readonly string[] {
  return [...kindAndTitle(member), ...dutiesOf(member), ...rightsInLog(member)];
}

/** The cost of a turn. */
export function costOf({ turnId, milliseconds, usage }: ToldTurn): readonly string[] {
  return [
    turnId,
    formatDuration(milliseconds, { short: true }),
    ...(usage === undefined ? [] : [formatUsage(usage)]),
  ];
}
