import type { AgentEvent } from '../../models/AgentEvent.js';
import type { TurnOutcome } from '../../models/TurnOutcome.js';
import { createBreather } from '../../utils/createBreather.js';
import type { Logger } from '../../utils/logger.js';
import type { TurnRequest } from '../AgentAdapter.js';
import type { Dialect, TurnEvent } from '../Dialect.js';
import { AnswerText } from './AnswerText.js';
import { describeCommand, describeExit, hasAnswered, judgeTurn, type TurnIdentity } from './judgeTurn.js';
import type { AgentProcess, ExitInfo } from './spawnAgent.js';
import { canSweep, type Survivor } from './sweep.js';
import { TurnSupervisor } from './TurnSupervisor.js';
import { createPlainOutput, createRecordOutput } from './turnOutput.js';
import type { Clock } from './turnTimers.js';

export interface FollowOptions {
  /** A longer line of output is skipped. */
  readonly maxLineBytes?: number;
  /** A longer answer is cut, with a mark. */
  readonly maxAnswerBytes?: number;
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** What stays the same through one turn. */
export interface Turn {
  readonly dialect: Dialect;
  readonly request: TurnRequest;
  readonly signal: AbortSignal;
  readonly options: FollowOptions;
  readonly identity: TurnIdentity;
  /** Found in the environment of all processes of the turn. */
  readonly marker: string;
}

/** What a running agent says, and at last how its turn ended. When the iterator is over, so is every process of it. */
export async function* followAgent(
  agent: AgentProcess,
  turn: Turn,
): AsyncGenerator<AgentEvent, void, undefined> {
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
    yield { type: 'end', outcome };
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
  const breathe = createBreather();
  const take = (events: TurnEvent[]): TurnEvent[] => {
    for (const event of events) {
      answer.add(event);
      supervisor.noteEvent(event);
    }
    return events;
  };

  for await (const chunk of agent.stdout) {
    supervisor.timers.noteOutput();
    const events = output.push(chunk);
    // A long text took its time to be read, and takes as much again to be measured.
    await breathe();
    yield* take(events);
    if (output.verdict !== undefined || supervisor.stopReason?.kind === 'refused') break;
  }
  yield* take(output.end());
  if (output.verdict !== undefined) supervisor.noteVerdict();
  await supervisor.waitForLastWords(isPlain ? 'exit-code' : 'courtesy');

  const { verdict, skippedLines, badSample } = output;
  const { stopReason, exit } = supervisor;
  const text = isPlain ? answer.text.trimEnd() : answer.text;
  const isComplete = isPlain ? hasAnswered({ exit, text }) : verdict?.ok === true;
  if (isComplete && stopReason === undefined) yield* describeOddities(exit, skippedLines, identity);
  const facts = { stopReason, verdict, exit, skippedLines, badSample, text, draft: answer.draft };
  return judgeTurn({ ...facts, stderr: agent.stderr.text }, dialect, identity);
}

/** What was wrong with a turn that is complete all the same. */
export function* describeOddities(
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

function reportSurvivors(survivors: readonly Survivor[], { identity, options }: Turn): void {
  if (!canSweep) options.logger?.debug?.('Processes that left their group cannot be found on this system.');
  if (survivors.length === 0) return;
  const names = survivors.map(({ pid, name }) => `${pid} (${name})`).join(', ');
  options.logger?.warn?.(`${identity.memberName}: these processes could not be stopped: ${names}`);
}
