import type { AgentEvent, EndEvent } from '../../models/AgentEvent.js';
import { putSystemTextInPrompt, SYSTEM_TEXT_IN_PROMPT } from '../../models/AgentEvent.js';
import { secretsOf } from '../../models/McpServer.js';
import type { FailureFacts } from '../../models/TurnOutcome.js';
import type { Logger } from '../../utils/logger.js';
import type { TurnRequest } from '../AgentAdapter.js';
import { chooseServers, type Dialect, type Invocation } from '../dialect/Dialect.js';
import { childEnvironment, type Environment } from './environment.js';
import { type FollowOptions, followAgent, type Turn, type TurnEnding } from './followAgent.js';
import { sealFailure } from './judgeTurn.js';
import { probeCommand } from './probeCommand.js';
import { reportSearch, type SpawnRequest, spawnAgent } from './spawnAgent.js';
import { type TemporaryFiles, writeTemporaryFiles } from './temporaryFiles.js';

export interface TurnProcessOptions extends FollowOptions {
  /** The source of the agent's environment; `process.env` by default. */
  readonly environment?: Environment;
  /** The variables of Postgres are not given to agents: a shared store is in use. */
  readonly hidesPostgres?: boolean;
  /** Programs inside the project that PATH may lead to. None by default. */
  readonly trustedPrograms?: readonly string[];
  /** Earlier answers of programs to what they are asked first, in the same conversation. */
  readonly answers?: Answers;
}

/**
 * Runs one turn of a program. The last event is always the one `end`, given as soon as the outcome is known; the
 * iterator itself finishes when the agent and its group are gone. Leaving it early stops the agent and waits for that.
 */
export async function* runDialectTurn(
  dialect: Dialect,
  request: TurnRequest,
  signal: AbortSignal,
  options: TurnProcessOptions = {},
): AsyncGenerator<AgentEvent, void, undefined> {
  const { environment = process.env, answers = new Map() } = options;
  const { trustedPrograms, hidesPostgres, logger } = options;
  if (signal.aborted) {
    yield { type: 'end', outcome: { kind: 'cancelled', draft: '' } };
    return;
  }
  let known: readonly string[] = [];
  const prepare = (asked: TurnRequest): readonly [Invocation, Turn] => {
    const invocation = dialect.prepare(asked, known);
    const { command } = invocation;
    const { memberName, mcpServers = [] } = asked;
    const secrets = secretsOf(mcpServers);
    const identity = { memberName, command, login: dialect.login, environment, secrets };
    return [invocation, { dialect, request: asked, signal, options, identity }];
  };
  const run = (asked: TurnRequest): AsyncGenerator<AgentEvent, TurnEnding, undefined> =>
    runInvocation(...prepare(asked), options);
  const first = await askFirst(dialect, request, {
    ...{ environment, hidesPostgres, trustedPrograms, answers, logger },
  });
  if ('reason' in first) {
    yield failBeforeStart(first, prepare(request)[1]);
    return;
  }
  known = first;
  const { given, warnings } = chooseServers(request, (server) => dialect.takesServer?.(server) ?? false);
  yield* warnings;
  const asked = { ...request, mcpServers: given };
  if ((yield* run(asked)) === 'ended') return;
  yield SYSTEM_TEXT_IN_PROMPT;
  yield* run(putSystemTextInPrompt(asked));
}

async function* runInvocation(
  invocation: Invocation,
  turn: Turn,
  options: TurnProcessOptions,
): AsyncGenerator<AgentEvent, TurnEnding, undefined> {
  const files = await writeTemporaryFiles(invocation.files).catch((error: NodeJS.ErrnoException) => error);
  if (files instanceof Error) {
    const errno = files.code ?? files.message;
    yield failBeforeStart({ code: 'SPAWN', reason: 'no-temporary-files', errno }, turn);
    return 'ended';
  }
  try {
    const result = await spawnAgent(resolveInvocation(invocation, files, turn, options));
    if (result.kind === 'started') return yield* followAgent(result.agent, turn);
    reportSearch(result, turn.request.memberName, options.logger);
    yield failBeforeStart(result.failure, turn);
    return 'ended';
  } finally {
    await files.remove();
  }
}

function resolveInvocation(
  invocation: Invocation,
  files: TemporaryFiles,
  { request, identity }: Turn,
  { trustedPrograms, hidesPostgres }: TurnProcessOptions,
): SpawnRequest {
  return {
    command: invocation.command,
    args: invocation.args.map(files.resolve),
    environment: childEnvironment({
      parent: identity.environment,
      mode: request.env,
      ownCredentials: request.credentials ?? [],
      extra: invocation.env,
      hidesPostgres,
      turn: request.turnName,
    }),
    workingFolder: request.workingFolder,
    projectFolder: request.projectFolder,
    trustedPrograms,
    stdin: invocation.stdin,
    joinsOutput: request.checks !== undefined,
  };
}

function failBeforeStart(found: FailureFacts, { identity, request }: Turn): EndEvent {
  const failure = request.checks === undefined ? found : ofCheck(found);
  return { type: 'end', outcome: { kind: 'failed', failure: sealFailure(failure, identity), draft: '' } };
}

/** A failure of a check: where its program is missing, that is of the folder, which may be a copy. */
function ofCheck(found: FailureFacts): FailureFacts {
  if (found.reason !== 'not-found' && found.reason !== 'not-runnable') return found;
  return { code: 'SPAWN', reason: 'check-not-run', program: found.program };
}

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
