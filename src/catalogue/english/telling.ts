import { formatNumber } from '../../utils/formatNumber.js';
import { counted } from '../counted.js';

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
