import { AgentManager, type MemberTurn } from '../compiled/agents/AgentManager.js';
import { createAdapter } from '../compiled/agents/definitions.js';
import type { AgentEvent } from '../compiled/models/AgentEvent.js';
import type { MemberId } from '../compiled/models/ids.js';
import type { AgentMember, Permission } from '../compiled/models/Team.js';
import type { TurnOutcome } from '../compiled/models/TurnOutcome.js';
import type { RealCli } from './clis.js';
import { TURN_HANGS_AFTER } from './patience.js';
import type { Workshop } from './workshop.js';

/** One turn of a real CLI through our adapter, from beginning to end. */
export interface PlayedTurn {
  readonly events: readonly AgentEvent[];
  readonly outcome: TurnOutcome;
  readonly sessionId: string;
}

export interface TurnWish extends MemberTurn {
  readonly permission?: Permission;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Another program in place of the CLI. */
  readonly command?: readonly string[];
  /** As if nobody had logged in. */
  readonly withoutKeys?: boolean;
  /** Called with every event as it comes. */
  readonly watch?: (event: AgentEvent) => void;
  readonly signal?: AbortSignal;
}

export async function playTurn(cli: RealCli, workshop: Workshop, wish: TurnWish): Promise<PlayedTurn> {
  const { watch, signal = new AbortController().signal, command: _ofMember, ...turn } = wish;
  const environment = wish.withoutKeys ? withoutKeys(workshop.environment) : workshop.environment;
  const manager = new AgentManager({
    workingFolder: workshop.workingFolder,
    limits: { idleMilliseconds: TURN_HANGS_AFTER, totalMilliseconds: TURN_HANGS_AFTER },
    createAdapter: (agentType) => createAdapter(agentType, { environment }),
  });
  const events: AgentEvent[] = [];
  for await (const event of manager.runTurn(memberOf(cli, wish), turn, signal)) {
    events.push(event);
    watch?.(event);
  }
  const end = events.at(-1);
  if (end?.type !== 'end') throw new Error('The last event of a turn must be its end.');
  return { events, outcome: end.outcome, sessionId: sessionIn(events) };
}

function memberOf({ agentType, model }: RealCli, wish: TurnWish): AgentMember {
  return {
    id: 'ada' as MemberId, // Ids are made when a team file is read, and there is none here.
    name: 'ada',
    type: 'ai',
    agentType,
    ...(model && { model }),
    ...(wish.command && { command: wish.command }),
    permission: wish.permission ?? 'read',
    allow: wish.allow ?? [],
    deny: wish.deny ?? [],
    memory: 'window',
    window: 20,
    visibility: 'all',
    env: 'inherit',
  };
}

export function eventsOf<Type extends AgentEvent['type']>(
  { events }: Pick<PlayedTurn, 'events'>,
  type: Type,
): Extract<AgentEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);
}

function withoutKeys(environment: Workshop['environment']): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.endsWith('_API_KEY')));
}

function sessionIn(events: readonly AgentEvent[]): string {
  return eventsOf({ events }, 'session').at(-1)?.sessionId ?? '';
}
