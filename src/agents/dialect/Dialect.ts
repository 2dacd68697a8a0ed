import { isAbsolute } from 'node:path';
import type { AgentEvent, EndEvent, SessionEvent, WarningEvent } from '../../models/AgentEvent.js';
import { InvalidOptionError } from '../../models/errors.js';
import type { McpServer } from '../../models/McpServer.js';
import type { FailureFacts, Login } from '../../models/TurnOutcome.js';
import type { TurnRequest } from '../AgentAdapter.js';

/** A piece of a command line: text, or the path of one of the turn's temporary files. */
export type Argument = string | { readonly file: string };

/** The start of one turn of one program: plain data, made by a dialect, carried out by `process/`. */
export interface Invocation {
  /** Program and its fixed first words; looked up on PATH. */
  readonly command: readonly string[];
  readonly args: readonly Argument[];
  /** Set on top of the member's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Written 0600 into a private folder that goes away after the turn. */
  readonly files: ReadonlyArray<{ readonly file: string; readonly content: string }>;
  readonly stdin: string;
}

/** An event an agent reports during its turn; `end` comes from the process layer. */
export type TurnEvent = Exclude<AgentEvent, EndEvent>;

/**
 * An event that a reader finds in a record. `text-end`: the block that the deltas wrote is whole; for agents
 * that do not repeat it, since `AnswerText` knows it.
 */
export type ReaderEvent = TurnEvent | { readonly type: 'text-end' };

/** The result that the final record of a turn reported. */
export type Verdict = { readonly ok: true } | FailedVerdict;

export interface FailedVerdict {
  readonly ok: false;
  readonly failure: FailureFacts;
}

/** The exit of a program that had not written its final record. */
export interface UnexplainedExit {
  /** Absent when it died of a signal. */
  readonly exitCode?: number;
  /** The end of its stderr as it was, up to 64 KB. */
  readonly stderr: string;
}

/** Understands the output of one turn, record by record, and remembers what it needs of the ones before. */
export interface TurnReader {
  /** The events of one record, in order. Never throws, whatever the record is. */
  read(record: unknown): ReaderEvent[];
  /** The output is over: what was held back until the next record. Absent: nothing is. */
  end?(): ReaderEvent[];
  /** Set as soon as the final record has been read: the exit code does not matter any more. */
  readonly verdict: Verdict | undefined;
}

/** A question to a program, asked once in a conversation, before the first turn that needs the answer. */
export interface Inquiry {
  isNeeded(request: TurnRequest): boolean;
  readonly args: readonly string[];
  /** Takes from the answer what `prepare` has to know; undefined: it is no answer. */
  read(stdout: string): readonly string[] | undefined;
  /** The failure of the turn if there is no answer. */
  readonly failure: FailureFacts;
}

/** Describes how to start one kind of program and read its output. Pure; effects are in `process/`. */
export interface Dialect {
  /** `json-lines`: one record a line. `plain-text`: all that a program prints before it exits is the answer. */
  readonly output: 'json-lines' | 'plain-text';
  /** The way to log in; absent if that is the program's own affair. */
  readonly login?: Login;
  /** Absent: nothing has to be asked. */
  readonly inquiry?: Inquiry;
  /** Whether it can be given this MCP server for a turn. Absent: none. */
  takesServer?(server: McpServer): boolean;
  /** `answer` is that of the inquiry. Throws `InvalidOptionError` for a kind of session the program does not have. */
  prepare(request: TurnRequest, answer?: readonly string[]): Invocation;
  createReader(request: Pick<TurnRequest, 'sessionTotals'>): TurnReader;
  /** For programs that say some failures on stderr only. Undefined: nothing better is known than the exit code. */
  explainExit?(exit: UnexplainedExit): FailureFacts | undefined;
  /** Whether it ended, before it did anything, because this version takes no system text separately from the prompt. */
  refusesSystemText?(stderr: string): boolean;
}

/** A value that stands on a command line by itself must not be taken for an option. */
const wordPattern = /^[^-\s\p{Cc}][^\s\p{Cc}]{0,255}$/u;

export function isArgumentWord(value: string): boolean {
  return wordPattern.test(value);
}

/** Models and session ids come from files and from the agents' own output: nothing in them may act. */
export function argumentValue(option: string, value: string): string {
  if (isArgumentWord(value)) return value;
  throw new InvalidOptionError(option, JSON.stringify(value), 'one word that does not begin with "-"');
}

/** The command of a member whose program has no name of its own. */
export function requireCommand({ command }: Pick<TurnRequest, 'command'>): readonly string[] {
  if (command?.length) return command;
  throw new InvalidOptionError('command', command, 'a program and its arguments');
}

/** An entry of a list that becomes part of one argument: it must not look like an option, or end its line. */
export function listValue(option: string, entry: string): string {
  if (/^[^-\s\p{Cc}][^\p{Cc}]*$/u.test(entry)) return entry;
  throw new InvalidOptionError(
    option,
    JSON.stringify(entry),
    'a tool, on one line, that does not begin with "-"',
  );
}

/** A folder as an argument. */
export function folderValue(option: string, path: string): string {
  if (isAbsolute(path) && !path.includes('\0')) return path;
  throw new InvalidOptionError(option, JSON.stringify(path), 'an absolute path');
}

/** The session an agent says it runs in; an id or mark that could never be handed back to it is not passed on. */
export function sessionEvents(
  sessionId: string | undefined,
  { model, mark, holdsPrompt }: Omit<SessionEvent, 'type' | 'sessionId'> = {},
): SessionEvent[] {
  if (sessionId === undefined || !wordPattern.test(sessionId)) return [];
  return [
    {
      type: 'session',
      sessionId,
      ...(model && { model }),
      ...(mark !== undefined && wordPattern.test(mark) && { mark }),
      ...(holdsPrompt !== undefined && { holdsPrompt }),
    },
  ];
}

/** The MCP servers that an agent is given in a turn, and the warning about the others. */
interface ChosenServers {
  readonly given: readonly McpServer[];
  readonly warnings: readonly WarningEvent[];
}

/** Chooses the servers of a turn. Their tools do anything, whatever the agent's own permission: with `read` there are none. */
export function chooseServers(
  { permission, mcpServers = [] }: Pick<TurnRequest, 'permission' | 'mcpServers'>,
  isTaken: (server: McpServer) => boolean,
): ChosenServers {
  const given = permission === 'read' ? [] : mcpServers.filter(isTaken);
  const servers = mcpServers.filter((server) => !given.includes(server)).map(({ name }) => name);
  if (servers.length === 0) return { given, warnings: [] };
  const because = permission === 'read' ? 'permission' : 'agent';
  return { given, warnings: [{ type: 'warning', about: { code: 'servers-not-given', servers, because } }] };
}
