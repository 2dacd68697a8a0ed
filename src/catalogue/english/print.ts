import type { LimitName } from '../../models/ConversationEvent.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { counted } from '../counted.js';

/** Sentences of a printed conversation. */
export const printText = {
  team: (members: readonly string[]) => `Team: ${members.join(', ')}.`,
  human: 'human',
  unsandboxed: 'unsandboxed',
  draft: 'draft, not handed on',
  startsAgain: '[the agent starts its answer again]',
  working: (name: string, seconds: number) => `${name} is working · ${seconds} s · Ctrl-C stops`,
  promptFor: (name: string, bytes: number) => `what ${name} is sent: ${counted(bytes, 'byte')}`,
  besidePrompt: 'as system text:',
  asPrompt: 'as prompt:',
  tool: (name: string, tool: string, input: string) => `${name} uses ${tool}${input && `: ${input}`}`,
  toolFailed: (name: string, tool: string, result: string) =>
    `${name}: ${tool} failed${result && `: ${result}`}`,
  fileChange: { add: 'created', update: 'changed', delete: 'deleted' },
  plan: (name: string, done: number, all: number) => `${name}'s plan: ${done} of ${all} done`,
  asksLeave: (name: string, request: string) => `${name} asks for permission: ${request}`,
  retry: (name: string, message: string, details: readonly string[]) =>
    `${name} tries again${message && `: ${message}`}${details.length > 0 ? ` (${details.join(', ')})` : ''}`,
  attempt: (attempt: number, max: number | undefined) =>
    max === undefined ? `attempt ${attempt}` : `attempt ${attempt} of ${max}`,
  inSeconds: (seconds: number) => `in ${seconds} s`,
  keptNothing: 'nothing had arrived',
  keptDraft: (characters: number) =>
    `${counted(characters, 'character is', 'characters are')} kept as a draft, not handed on`,
  stopped: (name: string) => `${name} was stopped`,
  interrupted: (name: string) => `${name}: Huddle ended during the turn`,
  sendAgain: 'Send the message again to go on.',
  timeLimits: {
    idle: (name: string, seconds: number) => `${name}: no output for ${seconds} s`,
    total: (name: string, seconds: number) => `${name}: not finished after ${seconds} s`,
    progress: (name: string, seconds: number) => `${name}: nothing but retries for ${seconds} s`,
  },
  timeLimitHints: {
    idle: 'Send the message again, or raise limits.idleMinutes in the team file.',
    total: 'Ask for less at once, or raise limits.turnMinutes in the team file.',
    progress: 'The service does not answer: try again later.',
  },
  paused: (limit: string, count: number) =>
    `Paused at a limit: ${limit} (${formatNumber(count, 4)} reached).`,
  goOn: {
    agentTurns:
      'To go further, run again with a larger --max-turns, or raise limits.agentTurns in the team file.',
    pairTurns: 'If they were getting somewhere, raise limits.pairTurns in the team file and run again.',
    sameAnswer: 'They repeat themselves: ask something else, or raise limits.sameAnswer in the team file.',
    tokens: 'To spend more, raise limits.tokens in the team file and run again.',
    usd: 'To spend more, run again with a larger --max-usd, or raise limits.usd in the team file.',
  } satisfies Record<LimitName, string>,
  noRecipient: 'No agent was asked. Name one with @name or [NEXT: name].',
  notRun: (names: readonly string[]) => `Not asked any more: ${names.join(', ')}.`,
  waiting: (names: readonly string[]) =>
    `The agents wait for ${names.join(' and ')}. They go on with an answer.`,
  turns: (turns: number, seconds: string) => `${counted(turns, 'turn')} in ${seconds} s`,
  tokens: (input: string, output: string) => `${counted(input, 'token')} in, ${output} out`,
  money: (usd: string, isEstimated: boolean) => `$${usd}${isEstimated ? ' (estimated)' : ''}`,
  unpriced: (names: readonly string[]) => `price of ${names.join(', ')} unknown`,
  nothingSpent: 'a rehearsal, nothing was spent',
};
