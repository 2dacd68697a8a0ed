import type { AgentManager } from '../agents/AgentManager.js';
import type { OpenTurn } from '../conversation/Agenda.js';
import type { QueuedTurn } from '../models/ConversationEvent.js';
import type { ConversationId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import { findAgent, requireAgent } from '../routing/teamMembers.js';
import { followTurn, type RunningTurn, type TurnRecorder } from './followTurn.js';
import { describeAddress } from './turnNames.js';

/** Whether a turn may still run on another machine, although the process that asked for it is gone. */
export function canAdopt(turn: OpenTurn, team: Team, agents: Pick<AgentManager, 'runsElsewhere'>): boolean {
  const member = findAgent(team, turn.memberId);
  return turn.runsOn !== undefined && member?.runsOn === turn.runsOn && agents.runsElsewhere(member);
}

interface AdoptingParts {
  readonly id: ConversationId;
  readonly team: Team;
  readonly agents: Pick<AgentManager, 'adopt'>;
  readonly clock: () => number;
  readonly signal: AbortSignal;
  /** Ends a turn of which nothing is known any more. */
  readonly interrupt: (turn: OpenTurn) => void;
  /** Takes what comes of turns whose ends are told together. */
  readonly recorderOf: (together: readonly QueuedTurn[]) => TurnRecorder;
}

/** Follows turns to their end that outlived the process that started them. What is left of a blind round is told together. */
export async function followAdopted(turns: readonly OpenTurn[], parts: AdoptingParts): Promise<void> {
  const { interrupt, recorderOf } = parts;
  const found = await Promise.all(turns.map((turn) => adoptTurn(turn, parts)));
  for (const turn of turns) if (!found.some((running) => running?.turn === turn)) interrupt(turn);
  const runs = found.filter((running) => running !== null);
  const blind = recorderOf(runs.map(({ turn }) => turn).filter(isBlind));
  await Promise.all(
    runs.map((running) => followTurn(running, isBlind(running.turn) ? blind : recorderOf([running.turn]))),
  );
}

function isBlind({ blindRound }: QueuedTurn): boolean {
  return blindRound !== undefined;
}

/** Null when nothing is known of it. */
async function adoptTurn(
  turn: OpenTurn,
  { id, team, agents, clock, signal }: AdoptingParts,
): Promise<RunningTurn | null> {
  const member = requireAgent(team, turn.memberId);
  const events = await agents.adopt(describeAddress(id, turn, member), signal);
  if (events === null) return null;
  const { sessionId, sessionHoldsPrompt: holdsPrompt, prompt, at = clock() } = turn;
  const known = {
    ...(sessionId !== undefined && { sessionId }),
    ...(holdsPrompt !== undefined && { holdsPrompt }),
  };
  const milliseconds = Math.max(0, clock() - at);
  return { turn, member, session: prompt.session, start: () => events, known, milliseconds };
}
