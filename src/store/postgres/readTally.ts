import { z } from 'zod';
import { PAUSES, QUEUED_TURN } from '../../models/schema/events.js';
import { arrayOf, memberId, number, oneOf, record, text, turnId } from '../../models/schema/fields.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type ConversationTally, sessionTitle } from '../summary.js';

const boolean = z.boolean();
const turn = record(QUEUED_TURN);

/** A summary as `countEvent` makes it. Whoever held the conversation last wrote it, and may write what they like. */
const tallySchema = z.object({
  title: text,
  name: text.optional(),
  teamName: text,
  members: arrayOf(z.object({ id: memberId, name: text })),
  isRehearsal: boolean,
  forkedFrom: text.optional(),
  replayOf: text.optional(),
  messages: number,
  turns: number,
  usage: z
    .object({
      turns: number,
      inputTokens: number,
      cachedInputTokens: number,
      outputTokens: number,
      usd: number,
      prices: z.object({ reported: number, estimated: number, unknown: number }),
    })
    .optional(),
  startedAt: number,
  changedAt: number,
  agenda: z.object({
    queue: arrayOf(turn),
    running: arrayOf(z.looseObject({ turnId, memberId })),
    unfinished: arrayOf(
      z.looseObject({ turn, kind: z.enum(['failed', 'cancelled', 'timed-out', 'interrupted']) }),
    ),
    pause: oneOf('kind', PAUSES).nullable(),
    awaited: z.object({ memberIds: arrayOf(memberId), named: boolean }).nullable(),
    isUnaddressed: boolean,
    isAnswered: boolean,
  }),
});

/** Reads what somebody wrote about a conversation; null when it is not as Huddle writes it. */
export function readTally(body: string): ConversationTally | null {
  try {
    const { data } = tallySchema.safeParse(JSON.parse(body), { jitless: true });
    // Of the same shape, with the ids that the compiler tells apart.
    return (data as ConversationTally | undefined) ?? null;
  } catch {
    return null; // No JSON.
  }
}

/** The same as a list may show it: every text on one line, and harmless for a terminal. */
export function showTally(tally: ConversationTally): ConversationTally {
  return {
    ...tally,
    title: sessionTitle(tally.title),
    ...(tally.name !== undefined && { name: sessionTitle(tally.name) }),
    teamName: sanitizeToOneLine(tally.teamName),
    members: tally.members.map(({ id, name }) => ({ id, name: sanitizeToOneLine(name) })),
  };
}
