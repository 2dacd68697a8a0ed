import type { LimitName } from '../../models/ConversationEvent.js';
import { counted } from '../counted.js';
import { tellingText } from './telling.js';

/** Sentences of a printed conversation. */
export const printText = {
  team: (members: readonly string[]) => `Team: ${members.join(', ')}.`,
  startsAgain: '[the agent starts its answer again]',
  working: (doing: string, duration: string) => `${doing} · ${duration} · Ctrl-C stops`,
  promptFor: (name: string, bytes: number) => `what ${name} is sent: ${counted(bytes, 'byte')}`,
  besidePrompt: 'as system text:',
  asPrompt: 'as prompt:',
  tool: (name: string, tool: string, input: string) =>
    `${tellingText.doing.running(name, tool)}${input && `: ${input}`}`,
  toolFailed: (name: string, tool: string, result: string) =>
    `${name}: ${tool} failed${result && `: ${result}`}`,
  plan: (name: string, done: number, all: number) => `${name}'s plan: ${done} of ${all} done`,
  asksLeave: (name: string, request: string) => `${name} asks for permission: ${request}`,
  retry: (name: string, retrying: string) => `${name} is ${retrying}`,
  keptNothing: 'nothing had arrived',
  keptDraft: (characters: number) =>
    `${counted(characters, 'character is', 'characters are')} kept as a draft, not handed on`,
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
  turns: (turns: number, duration: string) => `${counted(turns, 'turn')} in ${duration}`,
  unpriced: (names: readonly string[]) => `price of ${names.join(', ')} unknown`,
  nothingSpent: 'a rehearsal, nothing was spent',
};
