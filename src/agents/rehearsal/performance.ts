import { readFileSync } from 'node:fs';
import { REHEARSAL_VARIABLES } from './rehearsalDialect.js';
import { handOver, makeUpReply } from './reply.js';
import type { ScriptedTurn } from './script.js';
import type { RehearsedSession } from './sessionFiles.js';

const bytesPerToken = 4;

/** The script the stand-in was given, as far as it was given one. */
export function readScript(): unknown {
  const file = process.env[REHEARSAL_VARIABLES.scriptFile];
  const inline = file ? readFileSync(file, 'utf8') : process.env[REHEARSAL_VARIABLES.script];
  return inline ? JSON.parse(inline) : [];
}

/** The blocks of an answer, with the hand-over at its end. */
export function answerOf(turn: ScriptedTurn, memberName: string, prompt: string): readonly string[] {
  const blocks = turn.text ?? [makeUpReply(memberName, prompt)];
  const ending = handOver(turn.next.length > 0 ? turn.next : nextFromEnvironment());
  return [...blocks.slice(0, -1), `${blocks.at(-1) ?? ''}${ending}`];
}

/** What a turn is said to have taken. */
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
