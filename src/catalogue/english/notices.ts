import type { Notice, NoticeCode } from '../../models/ConversationEvent.js';
import type { MemberId } from '../../models/ids.js';
import { truncateToBytes } from '../../utils/bytes.js';
import { counted } from '../counted.js';
import { companyNoticeText } from './company.js';
import { fileNoticeText } from './fileNotices.js';
import { workerNoticeText } from './workers.js';

const NAME_BYTES = 60;

type NameOf = (memberId: MemberId) => string;

/** A sentence for every notice. */
export const noticeText = {
  'unknown-addressee': ({ unknown, more = 0 }) => {
    const [first, ...others] = unknown;
    if (first !== undefined && others.length === 0 && more === 0) {
      const nearest = first.nearest === undefined ? '' : ` Did you mean ${first.nearest}?`;
      return `No member named ${quote(first.name)}.${nearest}`;
    }
    const names = unknown.map(({ name, nearest }) =>
      nearest === undefined ? quote(name) : `${quote(name)} (did you mean ${nearest}?)`,
    );
    return `No member named ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
  },
  'self-addressed': ({ memberId }, nameOf) => `${nameOf(memberId)} handed off to itself; ignored.`,
  'too-many-addressees': ({ max, memberIds }, nameOf) =>
    `${max + memberIds.length} recipients exceed the limit of ${max}; skipped: ${list(memberIds, nameOf)}.`,
  'queue-full': ({ max, memberIds }, nameOf) =>
    `The queue is full (${counted(max, 'turn')}); not queued: ${list(memberIds, nameOf)}.`,
  'marker-in-open-fence': () => 'A marker did nothing, because the code block before it was never closed.',
  'claimed-from': ({ memberId, claimed }, nameOf) =>
    `${nameOf(memberId)} claimed to be "${claimed}"; treated as ${nameOf(memberId)}.`,
  'task-from-agent': ({ memberId }, nameOf) =>
    `Ignored: only people can set the team task (${nameOf(memberId)} tried).`,
  'no-agent': () => 'No agent to reply.',
  'empty-reply': ({ memberId }, nameOf) => `${nameOf(memberId)} sent an empty reply.`,
  'usage-unknown': ({ memberId }, nameOf) =>
    `${nameOf(memberId)} reported usage that cannot be right. Huddle ignores those figures, so limits.tokens and limits.usd may miss this turn.`,
  'prompt-trimmed': ({ memberId, cutBytes }, nameOf) =>
    `The message was too large for ${nameOf(memberId)}'s budget: the last ${counted(cutBytes, 'byte was', 'bytes were')} cut.`,
  'session-lost': ({ memberId, because }, nameOf) =>
    because === 'refused'
      ? `${nameOf(memberId)} could not continue its own session; the whole prompt is sent in a new one.`
      : `${nameOf(memberId)} was cut off, and it is unclear what its own session holds of that turn; its next turn starts a new session with the whole prompt.`,
  'session-not-forked': ({ memberId }, nameOf) =>
    `${nameOf(memberId)} starts a new session: this is a copy, and the session before belongs to the original. The whole prompt is sent.`,
  'turn-interrupted': ({ memberId }, nameOf) =>
    `${nameOf(memberId)}'s turn was interrupted when Huddle exited. It was not rerun; you can retry it.`,
  'members-gone': ({ memberIds }, nameOf) =>
    `Queued turns were dropped; no longer in the team: ${list(memberIds, nameOf)}.`,
  'lease-taken-over': ({ pid, host, continuedBy }) =>
    `The conversation was open in process ${pid} on ${host}, which is gone; ${
      continuedBy === undefined ? 'it continues here' : `${continuedBy} continues it`
    }.`,
  'wish-refused': companyNoticeText['wish-refused'],
  'unproven-speaker': (notice, nameOf) =>
    companyNoticeText['unproven-speaker'](notice, nameOf(notice.memberId)),
  'left-out': companyNoticeText['left-out'],
  ...fileNoticeText,
  ...workerNoticeText,
} satisfies {
  readonly [Code in NoticeCode]: (notice: Extract<Notice, { code: Code }>, nameOf: NameOf) => string;
};

function quote(name: string): string {
  const short = truncateToBytes(name, NAME_BYTES);
  return `"${short}${short === name ? '' : '…'}"`;
}

function list(memberIds: readonly MemberId[], nameOf: NameOf): string {
  return memberIds.map((memberId) => nameOf(memberId)).join(', ');
}
