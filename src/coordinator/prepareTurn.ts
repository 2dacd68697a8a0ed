import type { SessionChoice } from '../agents/AgentAdapter.js';
import type { MemberTurn } from '../agents/AgentManager.js';
import type { ContextManager } from '../context/ContextManager.js';
import type { MemberMemory } from '../conversation/memberMemory.js';
import { forkMark } from '../conversation/memberSession.js';
import type { QueuedTurn } from '../models/ConversationEvent.js';
import type { AgentMember, Team } from '../models/Team.js';
import { createProfile } from './memberProfile.js';
import { type PreparedPrompt, preparePrompt } from './preparePrompt.js';

/** A turn that is ready to run: its prompt, and what the agent is asked with. */
export interface PreparedTurn extends PreparedPrompt {
  readonly request: MemberTurn;
}

/** Chooses the session of a turn and makes its prompt. Throws PromptBudgetError. */
export function prepareTurn(
  context: ContextManager,
  team: Team,
  member: AgentMember,
  turn: QueuedTurn,
  { sessions, profiles, speakerNames }: MemberMemory,
): PreparedTurn {
  const session = member.memory === 'session' ? sessions.get(member.id) : undefined;
  const knowsSystemText = session?.systemSha256 === profiles.get(member.id)?.systemSha256;
  const profile = createProfile(team, member);
  const prepared = preparePrompt(context, { profile, turn, session, knowsSystemText, speakerNames });
  const { prompt, systemFlag } = prepared.output;
  if (session === undefined) return { ...prepared, request: { prompt, systemFlag } };
  const { sessionId, totals } = session;
  const at = forkMark(session);
  const choice: SessionChoice =
    at === undefined ? { kind: 'resume', sessionId } : { kind: 'fork', sessionId, at };
  return { ...prepared, request: { prompt, systemFlag, session: choice, sessionTotals: totals } };
}
