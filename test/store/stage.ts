import { tmpdir } from 'node:os';
import type { TurnRequest } from '../../src/agents/AgentAdapter.js';
import { AgentManager } from '../../src/agents/AgentManager.js';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import { ConversationStarter } from '../../src/coordinator/ConversationStarter.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { ConversationId, MemberId } from '../../src/models/ids.js';
import type { AgentMember, HumanMember, Limits, Team } from '../../src/models/Team.js';
import type { OpenOptions, Store } from '../../src/store/Store.js';
import { toArray } from '../../src/utils/AnyIterable.js';

/** How members answer, without a process. */
export type Play = (request: TurnRequest, signal: AbortSignal) => AsyncIterable<AgentEvent>;

export function startWith(store: Store, team: Team, play: Play, id?: ConversationId): Promise<Conversation> {
  const options = { team, store, agents: agentsThat(play), ...(id && { createId: () => id }) };
  return new ConversationStarter().start(options);
}

export function resumeWith(
  store: Store,
  id: ConversationId,
  team: Team,
  play: Play,
  options: OpenOptions = {},
): Promise<Conversation> {
  return new ConversationStarter().resume({ id, team, store, agents: agentsThat(play), ...options });
}

export function agentsThat(play: Play): AgentManager {
  return new AgentManager({ workingFolder: tmpdir(), createAdapter: () => ({ runTurn: play }) });
}

export async function* says(text: string): AsyncGenerator<AgentEvent> {
  yield { type: 'text', text };
  yield { type: 'end', outcome: { kind: 'completed', text } };
}

/** Never answers; ends when it is stopped. */
export async function* hangs(_request: TurnRequest, signal: AbortSignal): AsyncGenerator<AgentEvent> {
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  yield { type: 'end', outcome: { kind: 'cancelled', draft: '' } };
}

export async function factsOf<Type extends RecordedEvent['type']>(
  conversation: Conversation,
  type: Type,
): Promise<Extract<RecordedEvent, { type: Type }>[]> {
  return (await toArray(conversation.history())).filter(
    (event): event is Extract<RecordedEvent, { type: Type }> => event.type === type,
  );
}

export const LIMITS: Limits = {
  agentTurns: 20,
  pairTurns: 1000,
  sameAnswer: 1000,
  addressees: 8,
  queue: 50,
  parallel: 8,
  idleMinutes: 10,
  turnMinutes: 30,
};

export function teamOf(agents: readonly AgentMember[], parts: Partial<Team> = {}): Team {
  const person: HumanMember = { type: 'human', id: 'kailai' as MemberId, name: 'kailai' };
  return {
    name: 'squad',
    members: [person, ...agents],
    routing: { fallback: 'human', fanout: 'sequential' },
    limits: LIMITS,
    prices: [],
    context: { maxBytes: 786_432, guard: 'on' },
    ...parts,
  };
}

export function agentNamed(name: string, parts: Partial<AgentMember> = {}): AgentMember {
  return {
    type: 'ai',
    id: name as MemberId,
    name,
    agentType: 'claude-code',
    permission: 'read',
    allow: [],
    deny: [],
    memory: 'window',
    window: 20,
    visibility: 'all',
    env: 'inherit',
    ...parts,
  };
}
