import type { FailureFacts } from '../../models/TurnOutcome.js';
import type { Logger } from '../../utils/logger.js';
import type { TurnRequest } from '../AgentAdapter.js';
import type { Dialect } from '../dialect/Dialect.js';
import type { Environment } from './environment.js';
import { probeCommand } from './probeCommand.js';
import { reportSearch } from './spawnAgent.js';

/** Answers of programs to what they are asked first, by how they are started. */
export type Answers = Map<string, readonly string[]>;

interface Place {
  readonly environment: Environment;
  readonly hidesPostgres?: boolean | undefined;
  readonly trustedPrograms?: readonly string[];
  /** Nothing that was answered is asked again. */
  readonly answers: Answers;
  readonly logger?: Logger;
}

/** Asks a program what its dialect has to know before a turn. If it does not answer, the turn fails. */
export async function askFirst(
  dialect: Dialect,
  request: TurnRequest,
  place: Place,
): Promise<readonly string[] | FailureFacts> {
  const { inquiry } = dialect;
  if (!inquiry?.isNeeded(request)) return [];
  const { command } = dialect.prepare(request);
  const { workingFolder, projectFolder, credentials } = request;
  const key = JSON.stringify([command, workingFolder]);
  const known = place.answers.get(key);
  if (known !== undefined) return known;
  const { args } = inquiry;
  const folders = { workingFolder, projectFolder };
  const result = await probeCommand({ command, args, ...folders, ...place, ownCredentials: credentials });
  if (result.kind === 'failed') {
    reportSearch(result, request.memberName, place.logger);
    return result.failure;
  }
  const isGood = result.kind === 'answered' && result.exit.code === 0;
  const answer = isGood ? inquiry.read(result.stdout) : undefined;
  if (answer === undefined) return inquiry.failure;
  place.answers.set(key, answer);
  return answer;
}
