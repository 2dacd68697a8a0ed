import type { AgentEvent } from '../../models/AgentEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { FailureFacts, TurnOutcome } from '../../models/TurnOutcome.js';
import type { Semaphore } from '../../utils/Semaphore.js';
import type { TurnRequest } from '../AgentAdapter.js';
import type { Verdict } from '../dialect/Dialect.js';
import { describeOddities, type FollowOptions } from '../process/followAgent.js';
import { judgeTurn, maskTrouble, type TurnIdentity } from '../process/judgeTurn.js';
import type { SpawnRequest } from '../process/spawnAgent.js';
import { AgentTurn } from './AgentTurn.js';
import { LiveTurnError } from './LiveConnection.js';
import { LiveProcess, type LiveProcessOptions } from './LiveProcess.js';

/** A member: how it is run, and what runs of it. Its process is started with its first turn and stays for those that follow. */
export interface LiveMember extends FollowOptions, Pick<LiveProcessOptions, 'loadProtocol'> {
  /** Makes the request for a new process, with a mark of its own. */
  readonly spawn: () => SpawnRequest;
  readonly identity: TurnIdentity;
  /** Lets in one turn after the other. */
  readonly turns: Semaphore;
  process?: LiveProcess;
  turn?: AgentTurn;
}

/** Runs one turn of a member. The last event is the one `end`; leaving early stops the turn and waits for that. */
export async function* runLiveTurn(
  member: LiveMember,
  request: TurnRequest,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void, undefined> {
  const leave = await member.turns.acquire(signal);
  try {
    if (leave === undefined) yield { type: 'end', outcome: { kind: 'cancelled', draft: '' } };
    else yield* runAlone(member, new AgentTurn({ ...member, request, signal }));
  } finally {
    leave?.();
  }
}

async function* runAlone(member: LiveMember, turn: AgentTurn): AsyncGenerator<AgentEvent, void, undefined> {
  member.turn = turn;
  const work = turn.run(() => tryTwice(member, turn));
  try {
    for await (const event of turn.events) yield maskTrouble(event, member.identity);
    const outcome = judge(await work, turn, member.identity);
    if (outcome.kind === 'completed') yield* describeOddities(undefined, turn.skippedLines, member.identity);
    yield { type: 'end', outcome };
  } finally {
    turn.events.close();
    turn.stop({ kind: 'cancelled' });
    // What went wrong has been thrown above; who leaves early does not want to know.
    await work.catch(() => undefined);
    member.turn = undefined;
  }
}

/** A process that had left before it was asked anything has done nothing yet: another one takes the turn. */
async function tryTwice(member: LiveMember, turn: AgentTurn): Promise<Verdict | undefined> {
  const isKept = member.process?.isGone === false;
  const verdict = await attempt(member, turn);
  const isOver = verdict !== undefined || turn.hasBegun || turn.stopReason !== undefined;
  if (isOver || !isKept) return verdict;
  await turn.process?.stop();
  turn.moveTo(undefined);
  return attempt(member, turn);
}

/** `undefined`: the agent is gone, or did not say how the turn ended; how it went decides. */
async function attempt(member: LiveMember, turn: AgentTurn): Promise<Verdict | undefined> {
  try {
    const process = await requireProcess(member);
    turn.moveTo(process);
    await process.connection.open();
    return await process.connection.prompt(turn);
  } catch (error) {
    if (error instanceof HuddleError) throw error;
    const failure = failureIn(error, turn);
    if (failure === undefined) {
      await turn.process?.waitForLastWords();
      return undefined;
    }
    // Logging in and updating happen elsewhere: only a new process is sure to know of it.
    const isFixedElsewhere = !turn.hasBegun && failure.code !== 'SESSION_UNKNOWN';
    if (failure.code === 'AUTH' || isFixedElsewhere) void turn.process?.stop();
    return { ok: false, failure };
  }
}

/** The process from the turn before, or a new one when that is gone. Throws LiveTurnError. */
async function requireProcess(member: LiveMember): Promise<LiveProcess> {
  const kept = member.process;
  if (kept?.isStopping === false) return kept;
  await kept?.stop();
  const { loadProtocol, logger, identity } = member;
  const { memberName } = identity;
  member.process = await LiveProcess.start(member.spawn(), { loadProtocol, logger, memberName });
  return member.process;
}

function failureIn(error: unknown, { process }: AgentTurn): FailureFacts | undefined {
  return error instanceof LiveTurnError ? error.failure : process?.connection.explain(error);
}

function judge(verdict: Verdict | undefined, turn: AgentTurn, identity: TurnIdentity): TurnOutcome {
  const { process, stopReason, skippedLines } = turn;
  const { text, draft } = turn.answer;
  const badSample = process?.connection.lines.badSamples[0];
  const facts = { stopReason, verdict, exit: process?.exit, text, draft, skippedLines, badSample };
  return judgeTurn({ ...facts, stderr: process?.stderr ?? '' }, { output: 'json-lines' }, identity);
}
