import { readFileSync } from 'node:fs';
import { formatHandoff, makeUpReply } from './reply.js';
import type { ScriptedTurn } from './script.js';
import type { RehearsedSession } from './sessionFiles.js';

const bytesPerToken = 4;

/** The variables that tell a simulated agent what to do; they reach it whatever the member's environment. */
export const REHEARSAL_VARIABLES = {
  memberName: 'HUDDLE_REHEARSAL_MEMBER',
  scriptFile: 'HUDDLE_REHEARSAL_SCRIPT_FILE',
  script: 'HUDDLE_REHEARSAL_SCRIPT',
  stateFolder: 'HUDDLE_REHEARSAL_STATE',
  next: 'HUDDLE_REHEARSAL_NEXT',
} as const;

/** The script that a simulated agent was given, if any. */
export function readScript(): unknown {
  const file = process.env[REHEARSAL_VARIABLES.scriptFile];
  const inline = file ? readFileSync(file, 'utf8') : process.env[REHEARSAL_VARIABLES.script];
  return inline ? JSON.parse(inline) : [];
}

/** The blocks of an answer, with the handoff at its end. */
export function answerOf(turn: ScriptedTurn, memberName: string, prompt: string): readonly string[] {
  const blocks = turn.text ?? [makeUpReply(memberName, prompt)];
  const ending = formatHandoff(turn.next.length > 0 ? turn.next : nextFromEnvironment());
  return [...blocks.slice(0, -1), `${blocks.at(-1) ?? ''}${ending}`];
}

/** The usage that a simulated turn reports. */
export function usageOf(prompt: string, blocks: readonly string[], usd: number): RehearsedSession['totals'] {
  return {
    inputTokens: tokensOf(prompt),
    cachedInputTokens: 0,
    outputTokens: tokensOf(blocks.join('')),
    usd,
  };
}

export function addTotals(
  before: RehearsedSession['totals'],
  usage: RehearsedSession['totals'],
): RehearsedSession['totals'] {
  return {
    inputTokens: before.inputTokens + usage.inputTokens,
    cachedInputTokens: before.cachedInputTokens + usage.cachedInputTokens,
    outputTokens: before.outputTokens + usage.outputTokens,
    usd: before.usd + usage.usd,
  };
}

function nextFromEnvironment(): readonly string[] {
  return (process.env[REHEARSAL_VARIABLES.next] ?? '').split(',').filter((name) => name !== '');
}

function tokensOf(spoken: string): number {
  return Math.ceil(Buffer.byteLength(spoken) / bytesPerToken);
}

/** Text in pieces as a model sends it; joined they are the text again. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/gu) ?? [];
}
