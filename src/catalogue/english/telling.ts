import type { Notice, NoticeCode } from '../../models/ConversationEvent.js';
import type { MemberId } from '../../models/ids.js';
import { truncateToBytes } from '../../utils/bytes.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { counted } from '../counted.js';
import { companyNoticeText } from './company.js';
import { fileNoticeText } from './fileNotices.js';
import { workerNoticeText } from './workers.js';

/** Facts about an attempt that follows a failed one. */
export interface ShownRetry {
  readonly message: string;
  readonly attempt?: number | undefined;
  readonly maxAttempts?: number | undefined;
  /** Time until it begins. */
  readonly wait?: string | undefined;
}

/** Words for what happens in a conversation: the same wherever it is told. */
export const tellingText = {
  human: 'human',
  agent: 'agent',
  /** Kinds of agents that have no name of their own. */
  kinds: { acp: 'ACP agent', command: 'Command' } as Readonly<Record<string, string>>,
  unsandboxed: 'no sandbox',
  permissions: { read: 'read-only', edit: 'can edit files', full: 'full access (no sandbox)' },
  via: (program: string) => `via ${program}`,
  onMachine: (role: string) => `on ${role}'s machine`,
  notHeld: 'runs as you (no sandbox)',
  /** The same of a program that can ask, but that nothing makes ask. */
  shouldAsk: {
    read: 'should ask before it writes, runs as you (no sandbox)',
    edit: 'can edit files, should ask for the rest, runs as you (no sandbox)',
  },
  check: 'check',
  ownCopy: 'works in a copy',
  /** The origin of a session, where it is shown. */
  forkedFrom: (from: string, messageId: string | undefined) =>
    messageId === undefined ? `Forked from ${from}.` : `Forked from ${from} after ${messageId}.`,
  task: 'Team task',
  taskCleared: 'cleared',
  /** Ends of turns without an answer. */
  outcomes: {
    completed: 'replied with nothing',
    failed: 'failed',
    cancelled: 'stopped',
    'timed-out': 'timed out',
    interrupted: 'interrupted',
  },
  doing: {
    thinking: (name: string) => `${name} is thinking`,
    replying: (name: string) => `${name} is replying`,
    running: (name: string, tool: string) => `${name} is running ${tool}`,
    retrying: (name: string) => `${name} is retrying`,
    waiting: (name: string, tool: string) => `${name} needs approval: ${tool}`,
  },
  fileChange: { add: 'created', update: 'changed', delete: 'deleted' },
  changedFile: (name: string, change: string, path: string) => `${name} ${change} ${path}`,
  retrying: (retry: ShownRetry) => describeRetry(retry),
  memberRetrying: (name: string, retry: ShownRetry) => `${name} is ${describeRetry(retry)}`,
  pauses: {
    asked: 'Paused by you.',
    reader: 'Paused: files changed during the turn of a read-only member.',
    reopened: 'Paused: turns were queued when the session was last closed.',
    cancelled: 'Paused: the turn was stopped.',
  },
  pausedAt: (limit: string, reached: string) => `Paused: ${limit}${reached && ` (${reached} reached)`}.`,
  stopped: (name: string) => `${name} was stopped`,
  noOutput: (name: string, duration: string) => `${name}: no output for ${duration}`,
  interrupted: (name: string, worker?: string) =>
    worker === undefined
      ? `${name} was interrupted when Huddle exited`
      : `${name} was interrupted: the worker on ${worker} is gone`,
  timeLimits: {
    idle: (name: string, duration: string) => `${name}: no output for ${duration}`,
    total: (name: string, duration: string) => `${name}: not finished after ${duration}`,
    progress: (name: string, duration: string) => `${name}: nothing but retries for ${duration}`,
  },
  sendAgain: 'You can retry it.',
  timeLimitHints: {
    idle: 'Retry, or raise limits.idleMinutes in the team file.',
    total: 'Ask for less at once, or raise limits.turnMinutes in the team file.',
    progress: 'The service does not respond. Try again later.',
  },
  draft: 'draft, not delivered',
  /** Lengths of time; `short` where there is little room. */
  durations: {
    seconds: (seconds: string) => `${seconds} s`,
    minutes: (minutes: number, seconds: string) => `${minutes} min ${seconds} s`,
    hours: (hours: number, minutes: string) => `${hours} h ${minutes} min`,
    short: {
      seconds: (seconds: string) => `${seconds} s`,
      minutes: (minutes: number, seconds: string) => `${minutes} min ${seconds} s`,
      hours: (hours: number, minutes: string) => `${hours} h ${minutes} min`,
    },
  },
  ago: {
    justNow: 'just now',
    minutes: (minutes: number) => `${minutes} min ago`,
    hours: (hours: number) => `${hours} h ago`,
  },
  failed: (name: string, command: string | undefined, what: string) =>
    command === undefined ? `${name}: ${what}` : `${name} (${command}): ${what}`,
  money: (amount: string) => `$${amount}`,
  tokens: (count: string) => counted(count, 'token'),
  usage: (input: number, output: number) =>
    `${counted(formatNumber(input), 'token')} in, ${formatNumber(output)} out`,
  usageAndCost: (usage: string, cost: string) => `${usage}, ${cost}`,
  estimated: (money: string) => `${money} (estimated)`,
  unpriced: 'price unknown',
};

function describeRetry({ message, attempt, maxAttempts, wait }: ShownRetry): string {
  const details = [
    ...(attempt === undefined
      ? []
      : [`attempt ${attempt}${maxAttempts === undefined ? '' : ` of ${maxAttempts}`}`]),
    ...(wait === undefined ? [] : [`in ${wait}`]),
  ].join(', ');
  return `retrying${message && `: ${message}`}${details && ` (${details})`}`;
}

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
