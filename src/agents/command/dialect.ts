import { InvalidOptionError } from '../../models/errors.js';
import type { TurnRequest } from '../AgentAdapter.js';
import type { Dialect, Invocation } from '../dialect/Dialect.js';
import { createCommandReader } from './events.js';

/**
 * Any program: the prompt on stdin, the answer on stdout. `plain-text`: all of stdout; an exit code is noted beside it.
 * `json-lines`: the records of `events.ts`, and the last of them decides.
 */
export function createCommandDialect(output: Dialect['output']): Dialect {
  return { output, prepare: prepareCommand, createReader: createCommandReader };
}

function prepareCommand(request: TurnRequest): Invocation {
  if (!request.command?.length)
    throw new InvalidOptionError('command', request.command, 'a program and its arguments');
  return { command: request.command, args: [], env: {}, files: [], stdin: request.prompt };
}
