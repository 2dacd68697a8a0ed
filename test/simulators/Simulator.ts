import type { FailureName, ScriptedTool } from '../../src/agents/rehearsal/script.js';
import type { SessionTotals, TurnUsage } from '../../src/models/AgentEvent.js';

/** A turn as a simulator is to play it. */
export interface SimulatedTurn {
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

/** Prints a turn as one CLI does: in its own records, warnings and exit codes. */
export interface Simulator {
  /** The session a command line asks for, if it asks for one. */
  sessionIn(args: readonly string[]): { readonly sessionId: string; readonly isFork: boolean } | undefined;
  play(turn: SimulatedTurn): Output;
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
