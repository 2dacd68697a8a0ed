import type { FailureFacts } from '../../models/TurnOutcome.js';
import type { Logger } from '../../utils/logger.js';
import type { TurnRequest } from '../AgentAdapter.js';
import type { Dialect } from '../dialect/Dialect.js';
import type { Environment } from './environment.js';
import { probeCommand } from './probeCommand.js';
import { reportSearch } from './spawnAgent.js';

/** Answers of programs to what they are asked first, by how they are started. */
export type Answers = Map<string, readonly string[]>;

export type FirstAnswer =
  | { readonly ok: true; readonly answer: readonly string[] }
  | { readonly ok: false; readonly failure: FailureFacts };

interface Place {
  readonly environment: Environment;
  readonly trustedPrograms?: readonly string[];
  /** Nothing that was answered is asked again. */
  readonly answers: Answers;
  readonly logger?: Logger;
}

const NO_ANSWER: FirstAnswer = { ok: true, answer: [] };

/** Asks a program what its dialect has to know before a turn. Where it does not answer, the turn cannot be what it is to be. */
export async function askFirst(dialect: Dialect, request: TurnRequest, place: Place): Promise<FirstAnswer> {
  const { inquiry } = dialect;
  if (!inquiry?.isNeeded(request)) return NO_ANSWER;
  const { command } = dialect.prepare(request);
  const { workingFolder, credentials } = request;
  const key = JSON.stringify([command, workingFolder]);
  const known = place.answers.get(key);
  if (known !== undefined) return { ok: true, answer: known };
  const result = await probeCommand({
    command,
    args: inquiry.args,
    workingFolder,
    environment: place.environment,
    trustedPrograms: place.trustedPrograms,
    ownCredentials: credentials,
  });
  if (result.kind === 'failed') {
    reportSearch(result, request.memberName, place.logger);
    return { ok: false, failure: result.failure };
  }
  const isGood = result.kind === 'answered' && result.exit.code === 0;
  const answer = isGood ? inquiry.read(result.stdout) : undefined;
  if (answer === undefined) return { ok: false, failure: inquiry.failure };
  place.answers.set(key, answer);
  return { ok: true, answer };
}
