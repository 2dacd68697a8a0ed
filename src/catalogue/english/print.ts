import type { LimitName } from '../../models/ConversationEvent.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { counted } from '../counted.js';

/** Sentences of a printed conversation. */
export const printText = {
  team: (members: readonly string[]) => `Team: ${members.join(', ')}.`,
  human: 'human',
  unsandboxed: 'no sandbox',
  draft: 'draft, not delivered',
  startsAgain: '[the agent restarts its reply]',
  working: (name: string, seconds: number) => `${name} is working · ${seconds} s · Ctrl-C to stop`,
  promptFor: (name: string, bytes: number) => `prompt for ${name}: ${counted(bytes, 'byte')}`,
  besidePrompt: 'system prompt:',
  asPrompt: 'prompt:',
  tool: (name: string, tool: string, input: string) => `${name} uses ${tool}${input && `: ${input}`}`,
  toolFailed: (name: string, tool: string, result: string) =>
    `${name}: ${tool} failed${result && `: ${result}`}`,
  fileChange: { add: 'created', update: 'changed', delete: 'deleted' },
  plan: (name: string, done: number, all: number) => `${name}'s plan: ${done} of ${all} done`,
  permissionRequest: (name: string, request: string) => `${name} asks for permission: ${request}`,
  retry: (name: string, message: string, details: readonly string[]) =>
    `${name} is retrying${message && `: ${message}`}${details.length > 0 ? ` (${details.join(', ')})` : ''}`,
  attempt: (attempt: number, max: number | undefined) =>
    max === undefined ? `attempt ${attempt}` : `attempt ${attempt} of ${max}`,
  inSeconds: (seconds: number) => `in ${seconds} s`,
  keptNothing: 'no reply received',
  keptDraft: (characters: number) => `draft kept (${counted(characters, 'character')}), not delivered`,
  stopped: (name: string) => `${name} was stopped`,
  interrupted: (name: string) => `${name}: Huddle exited during the turn`,
  sendAgain: 'Retry with /retry (or huddle resume --retry).',
  timeLimits: {
    idle: (name: string, seconds: number) => `${name}: no output for ${seconds} s`,
    total: (name: string, seconds: number) => `${name}: not finished after ${seconds} s`,
    progress: (name: string, seconds: number) => `${name}: nothing but retries for ${seconds} s`,
  },
  timeLimitHints: {
    idle: 'Retry, or raise limits.idleMinutes in the team file.',
    total: 'Ask for less at once, or raise limits.turnMinutes in the team file.',
    progress: 'The service does not respond. Try again later.',
  },
  paused: (limit: string, count: number) =>
    `Paused at a limit: ${limit} (${formatNumber(count, 4)} reached).`,
  toContinue: {
    agentTurns: 'To continue, rerun with a larger --max-turns, or raise limits.agentTurns in the team file.',
    pairTurns: 'To continue, raise limits.pairTurns in the team file and rerun.',
    sameAnswer: 'They repeat themselves: ask something else, or raise limits.sameAnswer in the team file.',
    tokens: 'To spend more, raise limits.tokens in the team file and rerun.',
    usd: 'To spend more, rerun with a larger --max-usd, or raise limits.usd in the team file.',
  } satisfies Record<LimitName, string>,
  noRecipient: 'No agent was asked. Name one with @name or [NEXT: name].',
  notRun: (names: readonly string[]) => `Skipped: ${names.join(', ')}.`,
  waiting: (names: readonly string[]) => `Waiting for ${names.join(' and ')} to reply.`,
  turns: (turns: number, seconds: string) => `${counted(turns, 'turn')} in ${seconds} s`,
  tokens: (input: string, output: string) => `${counted(input, 'token')} in, ${output} out`,
  money: (usd: string, isEstimated: boolean) => `$${usd}${isEstimated ? ' (estimated)' : ''}`,
  unpriced: (names: readonly string[]) => `price of ${names.join(', ')} unknown`,
  nothingSpent: 'dry run, no cost',
};
