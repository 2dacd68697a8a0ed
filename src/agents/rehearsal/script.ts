import { fieldOf, listOf, numberOf, textOf } from '../dialect/records.js';

/** The ways in which a simulated agent can fail. */
export const FAILURES = [
  'not-logged-in',
  'auth',
  'rate-limit',
  'server-error',
  'cut',
  'no-final-event',
] as const;
export type FailureName = (typeof FAILURES)[number];

export interface ScriptedTool {
  readonly name: string;
  readonly input: string;
  readonly result: string;
  readonly ok: boolean;
  /** Asks for permission first. */
  readonly asks: boolean;
  /** The change to the file of its input, shown with the call; nothing is really changed. */
  readonly change?: { readonly before: string; readonly after: string };
}

/** The actions of a simulated agent in one turn. */
export interface ScriptedTurn {
  /** Blocks of the answer, with `{asked}` for what was asked; the tools run between the first and the second. Absent: made up from the prompt. */
  readonly text?: readonly string[];
  readonly tools: readonly ScriptedTool[];
  /** Members to hand off to. */
  readonly next: readonly string[];
  readonly failure?: FailureName;
  /** The cost that the turn reports. */
  readonly usd: number;
}

/**
 * A script is a list of turns, or an object with such a list for each member by name. After its last turn it begins
 * again. A field that is not as expected counts as absent: a script is a tool for tests, not a format.
 */
export function turnOfScript(script: unknown, memberName: string, turnNumber: number): ScriptedTurn {
  const turns = Array.isArray(script) ? script : listOf(script, memberName);
  return readTurn(turns.length > 0 ? turns[turnNumber % turns.length] : undefined);
}

function readTurn(turn: unknown): ScriptedTurn {
  const text = fieldOf(turn, 'text');
  return {
    text: typeof text === 'string' ? [text] : stringsOf(text),
    tools: listOf(turn, 'tools').map(readTool),
    next: stringsOf(fieldOf(turn, 'next')) ?? [],
    failure: FAILURES.find((name) => name === fieldOf(turn, 'failure')),
    usd: numberOf(turn, 'usd') ?? 0,
  };
}

function readTool(tool: unknown): ScriptedTool {
  return {
    name: textOf(tool, 'name') ?? 'Bash',
    input: textOf(tool, 'input') ?? 'echo hi',
    result: textOf(tool, 'result') ?? 'hi',
    ok: fieldOf(tool, 'ok') !== false,
    asks: fieldOf(tool, 'asks') === true,
    ...readChange(fieldOf(tool, 'change')),
  };
}

function readChange(change: unknown): Pick<ScriptedTool, 'change'> {
  const [before, after] = [textOf(change, 'before'), textOf(change, 'after')];
  return before === undefined || after === undefined ? {} : { change: { before, after } };
}

function stringsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : undefined;
}
