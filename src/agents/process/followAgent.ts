import { setImmediate } from 'node:timers/promises';
import type { AgentEvent } from '../../models/AgentEvent.js';
import type { TurnOutcome } from '../../models/TurnOutcome.js';
import type { JsonLinesOptions } from '../../utils/jsonLines.js';
import type { Logger } from '../../utils/logger.js';
import type { TurnRequest } from '../AgentAdapter.js';
import type { Dialect, ReaderEvent, TurnEvent } from '../dialect/Dialect.js';
import { AnswerText } from './AnswerText.js';
import { reportCheck } from './checkReport.js';
import {
  describeProgram,
  exitFacts,
  hasAnswered,
  judgeTurn,
  maskTrouble,
  type TurnFacts,
  type TurnIdentity,
} from './judgeTurn.js';
import type { AgentProcess, ExitInfo } from './spawnAgent.js';
import { TurnSupervisor } from './TurnSupervisor.js';
import { reportLeftovers } from './terminate.js';
import { createPlainOutput, createRecordOutput } from './turnOutput.js';
import type { Clock } from './turnTimers.js';

export interface FollowOptions extends JsonLinesOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/** The parts of a turn that stay the same through it. */
export interface Turn {
  readonly dialect: Dialect;
  readonly request: TurnRequest;
  readonly signal: AbortSignal;
  readonly options: FollowOptions;
  readonly identity: TurnIdentity;
}

/** `system-text-refused`: the program was not asked anything, and no `end` was said. */
export type TurnEnding = 'ended' | 'system-text-refused';

/**
 * Yields what a running agent reports, and at last how its turn ended. When the iterator is over, so is the
 * agent with its group; what left the group is gone a moment later.
 */
export async function* followAgent(
  agent: AgentProcess,
  turn: Turn,
): AsyncGenerator<AgentEvent, TurnEnding, undefined> {
  const { dialect, request, signal, options } = turn;
  const supervisor = new TurnSupervisor(agent, { limits: request.limits, signal, clock: options.clock });
  let cleanUp: ReturnType<TurnSupervisor['finish']> | undefined;
  try {
    const outcome = yield* readAnswer(agent, supervisor, turn);
    cleanUp = supervisor.finish();
    const isFailed = outcome.kind === 'failed';
    if (isFailed && request.systemFlag && dialect.refusesSystemText?.(agent.stderr.text))
      return 'system-text-refused';
    yield { type: 'end', outcome };
    return 'ended';
  } finally {
    if (cleanUp === undefined) supervisor.stop({ kind: 'cancelled' });
    const { leftovers } = await (cleanUp ?? supervisor.finish());
    void leftovers.then((found) => reportLeftovers(found, request.memberName, options.logger));
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
  const answer = new AnswerText();
  let printedBytes = 0;
  const take = (event: ReaderEvent): TurnEvent => {
    const told = maskTrouble(answer.add(event), identity);
    supervisor.noteEvent(told);
    return told;
  };

  for await (const chunk of agent.stdout) {
    supervisor.timers.noteOutput();
    printedBytes += chunk.length;
    const events = output.push(chunk);
    // Keys and timers get their turn, however fast the agent writes.
    await setImmediate();
    yield* events.map(take);
    if (output.verdict !== undefined || supervisor.stopReason?.kind === 'refused') break;
  }
  yield* output.end().map(take);
  if (output.verdict !== undefined) supervisor.noteVerdict();
  await supervisor.waitForLastWords(isPlain ? 'exit-code' : 'courtesy');

  const { verdict, skippedLines, badSample } = output;
  const { stopReason, exit } = supervisor;
  const text = isPlain ? answer.text.trimEnd() : answer.text;
  const { checks } = request;
  if (checks !== undefined && exit !== undefined && stopReason === undefined)
    return reportCheck({ checks, exit, output: text, printedBytes }, identity);
  const isComplete = isPlain ? hasAnswered({ exit, text }) : verdict?.ok === true;
  if (isComplete && stopReason === undefined) yield* describeOddities(exit, skippedLines, identity);
  const facts: TurnFacts = {
    stopReason,
    verdict,
    exit,
    text,
    // As long as the answer: made only for those who ask.
    get draft() {
      return answer.draft;
    },
    skippedLines,
    badSample,
    stderr: agent.stderr.text,
  };
  return judgeTurn(facts, dialect, identity);
}

/** Warns of what was wrong with a turn that is complete all the same. */
export function* describeOddities(
  exit: ExitInfo | undefined,
  skippedLines: number,
  identity: TurnIdentity,
): Generator<TurnEvent, void, undefined> {
  const command = describeProgram(identity);
  const ending = exitFacts(exit);
  if (ending.exitCode || ending.signal)
    yield { type: 'warning', about: { code: 'exit-after-answer', command, ...ending } };
  if (skippedLines > 0)
    yield { type: 'warning', about: { code: 'lines-skipped', command, lines: skippedLines } };
}
