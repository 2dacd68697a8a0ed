import type { LimitName } from '../../models/ConversationEvent.js';
import { counted } from '../counted.js';
import { tellingText } from './telling.js';

/** Sentences of a printed conversation. */
export const printText = {
  team: (members: readonly string[]) => `Team: ${members.join(', ')}.`,
  startsAgain: '[the agent restarts its reply]',
  working: (doing: string, duration: string) => `${doing} · ${duration} · Ctrl-C to stop`,
  promptFor: (name: string, bytes: number) => `prompt for ${name}: ${counted(bytes, 'byte')}`,
  systemPrompt: 'system prompt:',
  asPrompt: 'prompt:',
  tool: (name: string, tool: string, input: string) =>
    `${tellingText.doing.running(name, tool)}${input && `: ${input}`}`,
  ranTool: (name: string, tool: string, input: string) => `${name} ran ${tool}${input && `: ${input}`}`,
  toolFailed: (name: string, tool: string, result: string) =>
    `${name}: ${tool} failed${result && `: ${result}`}`,
  plan: (name: string, done: number, all: number) => `${name}'s plan: ${done} of ${all} done`,
  permissionRequest: (name: string, request: string) => `${name} asks for permission: ${request}`,
  /** A failure of a turn, what is left of its reply, and what to do. */
  trouble: (what: string, draftCharacters: number, hint: string) =>
    `${what}; ${draftCharacters === 0 ? 'no reply received' : `draft kept (${counted(draftCharacters, 'character')}), not delivered`}. ${hint}`.trimEnd(),
  toContinue: {
    agentTurns: 'To continue, rerun with a larger --max-turns, or raise limits.agentTurns in the team file.',
    pairTurns: 'To continue, raise limits.pairTurns in the team file and rerun.',
    sameAnswer: 'They repeat themselves: ask something else, or raise limits.sameAnswer in the team file.',
    checkRounds: 'The check keeps failing: look at it, or raise limits.checkRounds in the team file.',
    tokens: 'To spend more, raise limits.tokens in the team file and rerun.',
    usd: 'To spend more, rerun with a larger --max-usd, or raise limits.usd in the team file.',
  } satisfies Record<LimitName, string>,
  toResume: (id: string) => `To continue: huddle resume ${id}`,
  afterReader: 'Review the changes with huddle diff, then continue.',
  noRecipient: 'No agent was asked. Name one with @name or [NEXT: name].',
  notRun: (names: readonly string[]) => `Skipped: ${names.join(', ')}.`,
  waiting: (names: readonly string[]) => `Waiting for ${names.join(' and ')} to reply.`,
  turns: (turns: number, duration: string) => `${counted(turns, 'turn')} in ${duration}`,
  unpriced: (what: readonly string[]) => `no price for ${what.join(', ')}`,
  nothingSpent: 'dry run, no cost',
  played: 'played, no cost',
};
