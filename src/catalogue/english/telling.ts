import { formatNumber } from '../../utils/formatNumber.js';
import { counted } from '../counted.js';

/** Words for what happens in a conversation: the same wherever it is told. */
export const tellingText = {
  human: 'human',
  agent: 'agent',
  unsandboxed: 'no sandbox',
  permissions: { read: 'read-only', edit: 'can edit files', full: 'full access (no sandbox)' },
  notHeld: 'runs as you (no sandbox)',
  doing: {
    thinking: (name: string) => `${name} is thinking`,
    replying: (name: string) => `${name} is replying`,
    running: (name: string, tool: string) => `${name} is running ${tool}`,
    retrying: (name: string) => `${name} is retrying`,
    waiting: (name: string, tool: string) => `${name} needs approval: ${tool}`,
  },
  fileChange: { add: 'created', update: 'changed', delete: 'deleted' },
  retrying: (message: string, details: readonly string[]) =>
    `retrying${message && `: ${message}`}${details.length > 0 ? ` (${details.join(', ')})` : ''}`,
  attempt: (attempt: number, max: number | undefined) =>
    max === undefined ? `attempt ${attempt}` : `attempt ${attempt} of ${max}`,
  inTime: (duration: string) => `in ${duration}`,
  pauses: {
    asked: 'Paused by you.',
    reopened: 'Paused: turns were queued when the session was last closed.',
    cancelled: 'Paused: the turn was stopped.',
  },
  pausedAt: (limit: string, reached: string) => `Paused: ${limit}${reached && ` (${reached} reached)`}.`,
  stopped: (name: string) => `${name} was stopped`,
  noOutput: (name: string, duration: string) => `${name}: no output for ${duration}`,
  interrupted: (name: string) => `${name} was interrupted when Huddle exited`,
  timeLimits: {
    idle: (name: string, duration: string) => `${name}: no output for ${duration}`,
    total: (name: string, duration: string) => `${name}: not finished after ${duration}`,
    progress: (name: string, duration: string) => `${name}: nothing but retries for ${duration}`,
  },
  sendAgain: 'Retry with /retry (or huddle resume --retry).',
  timeLimitHints: {
    idle: 'Retry, or raise limits.idleMinutes in the team file.',
    total: 'Ask for less at once, or raise limits.turnMinutes in the team file.',
    progress: 'The service does not respond. Try again later.',
  },
  draft: 'draft, not delivered',
  units: { seconds: 's', minutes: 'min', hours: 'h', thousands: 'k', millions: 'M' },
  money: (amount: string) => `$${amount}`,
  tokens: (count: string) => counted(count, 'token'),
  usage: (input: number, output: number) =>
    `${counted(formatNumber(input), 'token')} in, ${formatNumber(output)} out`,
  estimated: (money: string) => `${money} (estimated)`,
  unpriced: 'price unknown',
};
