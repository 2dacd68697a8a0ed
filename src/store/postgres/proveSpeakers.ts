import { createHash } from 'node:crypto';
import type {
  ConversationStart,
  MessageAdded,
  Notice,
  RecordedEvent,
} from '../../models/ConversationEvent.js';
import type { MessageSource } from '../../models/ConversationMessage.js';
import type { MemberId } from '../../models/ids.js';
import { checkRecord } from '../checkEvent.js';
import type { Query, SharedRow } from './SharedStore.js';

/** An event as it was appended, and the role whose process did so. */
export interface WrittenEvent {
  readonly event: RecordedEvent;
  readonly writtenBy: string;
}

type Claim = RecordedEvent & MessageAdded;

/**
 * Events in which every message of a person was said by the role of that person: the one that wrote it, or one that asked for it
 * with the same text. The others are replaced by a notice.
 *
 * @param restoredSeq Events up to this number came from elsewhere and claim no role.
 */
export async function proveSpeakers(
  query: Query,
  conversation: number,
  written: readonly WrittenEvent[],
  restoredSeq: number,
): Promise<RecordedEvent[]> {
  const events = written.map(({ event }) => event);
  const claims = written.flatMap(({ event, writtenBy }, index) =>
    isClaim(event) && event.seq > restoredSeq ? [{ event, writtenBy, index }] : [],
  );
  const asked = claims.filter(({ event, writtenBy }) => event.by !== writtenBy).map(({ event }) => event.seq);
  if (claims.length === 0) return events;
  const [rows, roles] = await Promise.all([
    asked.length === 0 ? [] : query<ProvingWish>(FIND_WISHES, [conversation, asked]),
    findRoles(query, conversation),
  ]);
  const wishes = new Map(rows.map((row) => [row.seq, row]));
  for (const { event, writtenBy, index } of claims) {
    const isSaid = event.by === writtenBy || isProven(event, wishes.get(event.seq));
    if (!isSaid || !isRoleOf(event, roles)) events[index] = describeUnproven(event, writtenBy);
  }
  return events;
}

/** Roles that people of a conversation have by its team, where they are not their names. */
type Roles = ReadonlyMap<string, string>;

/** From the first event: whoever continues the conversation cannot change who its people are. */
async function findRoles(query: Query, conversation: number): Promise<Roles> {
  const [row] = await query<{ body: string }>(
    'SELECT body FROM huddle.event WHERE conversation = $1 AND seq = 1',
    [conversation],
  );
  const start = row && readStart(row.body);
  return new Map((start?.team.members ?? []).flatMap(({ id, role }) => (role ? [[id, role]] : [])));
}

/** Undefined when it is none: then nobody has a role but that of their name. */
function readStart(body: string): ConversationStart | undefined {
  try {
    const event: RecordedEvent = JSON.parse(body);
    return event.type === 'conversation-start' && checkRecord(event).fault === undefined ? event : undefined;
  } catch {
    return undefined;
  }
}

function isRoleOf({ by, message: { speaker } }: Claim, roles: Roles): boolean {
  return by === (roles.get(speaker.roleId) ?? speaker.roleId);
}

interface ProvingWish extends SharedRow {
  readonly seq: number;
  readonly role: string;
  readonly sha256: string;
}

const FIND_WISHES = `
SELECT seq, role, pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(body, 'UTF8')), 'hex') AS sha256
FROM huddle.wish WHERE conversation = $1 AND kind = 'say' AND seq = ANY ($2)`;

function isClaim(event: RecordedEvent): event is Claim {
  return event.type === 'message-added' && event.message.speaker.type === 'human';
}

function isProven({ by, message }: Claim, wish: ProvingWish | undefined): boolean {
  if (wish === undefined || wish.role !== by) return false;
  return wish.sha256 === createHash('sha256').update(formatSaid(message.content, message.via)).digest('hex');
}

/** The body of a wish to say something. */
export function formatSaid(content: string, via?: MessageSource): string {
  return JSON.stringify({ content, via });
}

function describeUnproven({ v, seq, at, message, by }: Claim, recordedBy: string): RecordedEvent {
  const notice: Notice = {
    type: 'notice',
    code: 'unproven-speaker',
    messageId: message.id,
    // The id of a person's message is that of a member.
    memberId: message.speaker.roleId as MemberId,
    ...(by !== undefined && { by }),
    recordedBy,
  };
  return { ...notice, v, seq, at };
}
