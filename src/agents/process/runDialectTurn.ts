import { randomUUID } from 'node:crypto';
import type { AgentEvent, EndEvent } from '../../models/AgentEvent.js';
import type { TurnOutcome } from '../../models/TurnOutcome.js';
import type { Logger } from '../../utils/logger.js';
import { secretValues } from '../../utils/redact.js';
import type { TurnRequest } from '../AgentAdapter.js';
import type { Dialect, Invocation, TurnEvent } from '../Dialect.js';
import { AnswerText } from './AnswerText.js';
import { childEnvironment, type Environment } from './environment.js';
import { describeCommand, describeExit, describeFailure, judgeTurn, type TurnIdentity } from './judgeTurn.js';
import { Semaphore } from './Semaphore.js';
import { type AgentProcess, type ExitInfo, type SpawnRequest, spawnAgent } from './spawnAgent.js';
import { canSweep, type Survivor } from './sweep.js';
import { TurnSupervisor } from './TurnSupervisor.js';
import { type TemporaryFiles, writeTemporaryFiles } from './temporaryFiles.js';
import { createPlainOutput, createRecordOutput } from './turnOutput.js';
import type { Clock } from './turnTimers.js';
import { watchdog } from './watchdog.js';

const AGENTS_AT_ONCE = 4;
const sharedSlots = new Semaphore(AGENTS_AT_ONCE);

export interface TurnProcessOptions {
  /** What the agent's environment is made from; `process.env` by default. */
  readonly environment?: Environment;
  /** How many agents run at once; shared by all turns of this process unless given. */
  readonly slots?: Semaphore;
  readonly maxLineBytes?: number;
  readonly maxAnswerBytes?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** What stays the same through one turn. */
interface Turn {
  readonly dialect: Dialect;
  readonly request: TurnRequest;
  readonly signal: AbortSignal;
  readonly options: TurnProcessOptions;
  readonly identity: TurnIdentity;
  /** Found in the environment of all processes of the turn. */
  readonly marker: string;
}

/**
 * Runs one turn of a program. The last event is always the one `end`, given as soon as the outcome is known; the
 * iterator itself finishes when every process of the turn is gone. Leaving it early stops the agent and waits for that.
 */
export async function* runDialectTurn(
  dialect: Dialect,
  request: TurnRequest,
  signal: AbortSignal,
  options: TurnProcessOptions = {},
): AsyncGenerator<AgentEvent, void, undefined> {
  const leaveSlot = await (options.slots ?? sharedSlots).acquire(signal);
  if (leaveSlot === undefined) {
    yield endWith({ kind: 'cancelled', draft: '' });
    return;
  }
  try {
    const invocation = dialect.prepare(request);
    const identity = identify(invocation, dialect, request, options);
    yield* runInvocation(invocation, { dialect, request, signal, options, identity, marker: randomUUID() });
  } finally {
    leaveSlot();
  }
}

async function* runInvocation(
  invocation: Invocation,
  turn: Turn,
): AsyncGenerator<AgentEvent, void, undefined> {
  const files = await writeTemporaryFiles(invocation.files).catch((error: NodeJS.ErrnoException) => error);
  if (files instanceof Error) {
    const message = `its temporary files could not be written (${files.code ?? files.message})`;
    yield endWith(
      failBeforeStart({ code: 'SPAWN', message, hint: 'Make room in the temporary folder.' }, turn),
    );
    return;
  }
  watchdog.watch(turn.marker);
  try {
    const result = await spawnAgent(resolveInvocation(invocation, files, turn));
    if (result.kind === 'failed') {
      yield endWith(failBeforeStart(result.failure, turn));
    } else {
      watchdog.watch(turn.marker, result.agent.pid);
      yield* followAgent(result.agent, turn);
    }
  } finally {
    watchdog.forget(turn.marker);
    await files.remove();
  }
}

async function* followAgent(agent: AgentProcess, turn: Turn): AsyncGenerator<AgentEvent, void, undefined> {
  const { marker, request, signal, options } = turn;
  const supervisor = new TurnSupervisor(agent, {
    marker,
    limits: request.limits,
    signal,
    clock: options.clock,
  });
  let cleanUp: Promise<Survivor[]> | undefined;
  try {
    const outcome = yield* readAnswer(agent, supervisor, turn);
    cleanUp = supervisor.finish();
    yield endWith(outcome);
  } finally {
    if (cleanUp === undefined) supervisor.stop({ kind: 'cancelled' });
    reportSurvivors(await (cleanUp ?? supervisor.finish()), turn);
  }
}

/** Everything the agent says, and then how its turn ended. */
async function* readAnswer(
  agent: AgentProcess,
  supervisor: TurnSupervisor,
  { dialect, request, options, identity }: Turn,
): AsyncGenerator<TurnEvent, TurnOutcome, undefined> {
  const isPlain = dialect.output === 'plain-text';
  const output = isPlain ? createPlainOutput() : createRecordOutput(dialect.createReader(request), options);
  const answer = new AnswerText(options.maxAnswerBytes);
  const take = (events: TurnEvent[]): TurnEvent[] => {
    for (const event of events) {
      answer.add(event);
      supervisor.noteEvent(event);
    }
    return events;
  };

  for await (const chunk of agent.stdout) {
    supervisor.timers.noteOutput();
    yield* take(output.push(chunk));
    if (output.verdict !== undefined || supervisor.stopReason?.kind === 'refused') break;
  }
  yield* take(output.end());
  if (output.verdict !== undefined) supervisor.noteVerdict();
  await supervisor.waitForLastWords(isPlain ? 'exit-code' : 'courtesy');

  const { verdict, skippedLines, badSample } = output;
  const { stopReason, exit } = supervisor;
  const { text, draft } = answer;
  if (verdict?.ok && stopReason === undefined) yield* describeOddities(exit, skippedLines, identity);
  const facts = { stopReason, verdict, exit, skippedLines, badSample, draft };
  return judgeTurn(
    { ...facts, text: isPlain ? text.trimEnd() : text, stderr: agent.stderr.text },
    dialect,
    identity,
  );
}

/** What was wrong with a turn that is complete all the same. */
function* describeOddities(
  exit: ExitInfo | undefined,
  skippedLines: number,
  identity: TurnIdentity,
): Generator<TurnEvent, void, undefined> {
  const command = describeCommand(identity);
  const ending = exit && describeExit(exit);
  if (ending !== undefined) yield { type: 'error', message: `${command}: ${ending} after its answer` };
  if (skippedLines > 0) {
    yield {
      type: 'error',
      message: `${command}: lines of output that were too long and skipped: ${skippedLines}`,
    };
  }
}

function identify(
  { command }: Invocation,
  { loginHint, credentialVariables = [] }: Dialect,
  { memberName }: TurnRequest,
  { environment = process.env }: TurnProcessOptions,
): TurnIdentity {
  const variables = credentialVariables.length === 0 ? '' : `, or set ${credentialVariables.join(' or ')}`;
  return {
    memberName,
    command,
    loginHint: loginHint ?? `Log in to ${command[0]} again${variables}.`,
    secrets: secretValues(environment),
  };
}

function resolveInvocation(invocation: Invocation, files: TemporaryFiles, turn: Turn): SpawnRequest {
  const { dialect, request, options, marker } = turn;
  const entries = Object.entries(invocation.env).map(
    ([name, value]) => [name, files.resolve(value)] as const,
  );
  return {
    command: invocation.command,
    args: invocation.args.map(files.resolve),
    environment: childEnvironment({
      parent: options.environment ?? process.env,
      mode: request.env,
      ownCredentials: dialect.credentialVariables ?? [],
      extra: Object.fromEntries(entries),
      marker,
    }),
    workingFolder: request.workingFolder,
    stdin: invocation.stdin,
  };
}

function failBeforeStart(failure: Parameters<typeof describeFailure>[0], { identity }: Turn): TurnOutcome {
  return { kind: 'failed', failure: describeFailure(failure, identity), draft: '' };
}

function reportSurvivors(survivors: readonly Survivor[], { identity, options }: Turn): void {
  if (!canSweep) options.logger?.debug?.('Processes that left their group cannot be found on this system.');
  if (survivors.length === 0) return;
  const names = survivors.map(({ pid, name }) => `${pid} (${name})`).join(', ');
  options.logger?.warn?.(`${identity.memberName}: these processes could not be stopped: ${names}`);
}

function endWith(outcome: TurnOutcome): EndEvent {
  return { type: 'end', outcome };
}
