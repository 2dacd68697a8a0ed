import { isAbsolute } from 'node:path';
import type { SessionEvent } from '../../models/AgentEvent.js';
import { InvalidOptionError } from '../../models/errors.js';
import type { TurnRequest } from '../AgentAdapter.js';

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
