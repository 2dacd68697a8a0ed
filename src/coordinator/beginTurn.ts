import type { AgentManager } from '../agents/AgentManager.js';
import type { ContextManager } from '../context/ContextManager.js';
import type { ConversationStatus } from '../conversation/ConversationStatus.js';
import type { ConversationFact, QueuedTurn } from '../models/ConversationEvent.js';
import type { AgentMember, Team } from '../models/Team.js';
import type { TurnFolders } from './Pace.js';
import { type PreparedTurn, prepareTurn } from './preparePrompt.js';
import type { Round } from './Round.js';
import { noteElsewhere, noteTrim } from './turnFacts.js';

interface StartingParts {
  readonly team: Team;
  readonly context: ContextManager;
  readonly agents: Pick<AgentManager, 'runsElsewhere'>;
}

/** A turn that is about to run: what is recorded of its start, and what it runs with. */
interface StartedTurn {
  readonly facts: readonly ConversationFact[];
  readonly prepared: PreparedTurn;
  /** The folders of its round. Absent: nothing is recorded of files, or the turn works on another machine. */
  readonly files: TurnFolders | undefined;
}

/** Decides where a turn runs and with which prompt. Throws PromptBudgetError. */
export function beginTurn(
  turn: QueuedTurn,
  member: AgentMember,
  round: Round,
  { team, context, agents }: StartingParts,
  status: ConversationStatus,
): StartedTurn {
  const isElsewhere = agents.runsElsewhere(member);
  const files = isElsewhere ? undefined : round.files;
  const place = {
    ...(files?.copyOf(turn) !== undefined && { copy: true as const }),
    ...(isElsewhere && { runsOn: member.runsOn }),
  };
  const prepared = prepareTurn(context, team, member, turn, status, place);
  const facts: readonly ConversationFact[] = [
    { type: 'turn-start', ...turn, prompt: prepared.sent, ...place },
    ...noteTrim(member, prepared.output),
    ...(isElsewhere ? noteElsewhere(team, status) : []),
  ];
  return { facts, prepared, files };
}
