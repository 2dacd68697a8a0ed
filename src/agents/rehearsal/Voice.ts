import type { SessionTotals, TurnUsage } from '../../models/AgentEvent.js';
import type { FailureName, ScriptedTool } from './script.js';

/** One turn as the stand-in is to play it. */
export interface Performance {
  readonly prompt: string;
  readonly blocks: readonly string[];
  readonly tools: readonly ScriptedTool[];
  readonly failure?: FailureName;
  readonly model: string;
  readonly sessionId: string;
  readonly usage: Required<TurnUsage>;
  /** With this turn. */
  readonly sessionTotals: Required<SessionTotals>;
}

/** What a process leaves behind. */
export interface Output {
  readonly stdout: string;
  /** Comes after the pause before another attempt: whoever stops the CLI at its first notice never sees it. */
  readonly stdoutAfterPause?: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** How one CLI says what happens: the same turn in its own records, warnings and exit codes. */
export interface Voice {
  /** The session a command line asks for, if it asks for one. */
  sessionIn(args: readonly string[]): { readonly sessionId: string; readonly isFork: boolean } | undefined;
  play(performance: Performance): Output;
  unknownSession(sessionId: string): Output;
}

export function jsonLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** The value after an option, as every one of these CLIs takes it. */
export function optionValue(args: readonly string[], ...names: readonly string[]): string | undefined {
  const index = args.findIndex((argument) => names.includes(argument));
  return index < 0 ? undefined : args[index + 1];
}

/** Text in pieces as a model sends it; joined they are the text again. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/gu) ?? [];
}
