import { readFileSync } from 'node:fs';
import { addUsage } from '../dialect/failures.js';
import { toOneLine } from '../dialect/records.js';
import type { ScriptedTurn } from './script.js';
import type { RehearsedSession } from './sessionFiles.js';

const bytesPerToken = 4;
const askedLength = 100;

/** The last section of every prompt layout holds what is asked. */
const lastSectionTitles = ['[MESSAGE]\n', 'Your task:\n'];

/** The variables that tell a simulated agent what to do; they reach it whatever the member's environment. */
export const REHEARSAL_VARIABLES = {
  memberName: 'HUDDLE_REHEARSAL_MEMBER',
  scriptFile: 'HUDDLE_REHEARSAL_SCRIPT_FILE',
  script: 'HUDDLE_REHEARSAL_SCRIPT',
  stateFolder: 'HUDDLE_REHEARSAL_STATE',
  next: 'HUDDLE_REHEARSAL_NEXT',
  pace: 'HUDDLE_REHEARSAL_PACE',
} as const;

/** The script that a simulated agent was given, if any. */
export function readScript(): unknown {
  const file = process.env[REHEARSAL_VARIABLES.scriptFile];
  const inline = file ? readFileSync(file, 'utf8') : process.env[REHEARSAL_VARIABLES.script];
  return inline ? JSON.parse(inline) : [];
}

/** The blocks of an answer, with the handoff at its end. */
export function answerOf(turn: ScriptedTurn, memberName: string, prompt: string): readonly string[] {
  const asked = askedIn(prompt);
  const blocks = turn.text?.map((block) => block.replaceAll('{asked}', asked)) ?? [
    `${memberName} here, in rehearsal. I was asked: "${asked}".`,
  ];
  const told = (process.env[REHEARSAL_VARIABLES.next] ?? '').split(',').filter((name) => name !== '');
  const next = turn.next.length > 0 ? turn.next : told;
  const ending = next.length > 0 ? `\n\n[NEXT: ${next.join(', ')}]` : '';
  return [...blocks.slice(0, -1), `${blocks.at(-1) ?? ''}${ending}`];
}

/** The message that a prompt asks about, short and on one line. */
function askedIn(prompt: string): string {
  const starts = lastSectionTitles.flatMap((title) => {
    const start = prompt.lastIndexOf(title);
    return start < 0 ? [] : start + title.length;
  });
  return (
    toOneLine(prompt.slice(Math.max(0, ...starts)), askedLength)
      // A marker that is only quoted must not hand off.
      .replace(/[[\]［］]/gu, '')
  );
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
  return { ...addUsage(before, usage), usd: before.usd + usage.usd };
}

function tokensOf(spoken: string): number {
  return Math.ceil(Buffer.byteLength(spoken) / bytesPerToken);
}

/** Text in pieces as a model sends it; joined they are the text again. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/gu) ?? [];
}
