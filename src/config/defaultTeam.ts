import { AGENT_TYPES, type AgentType, findAgentType } from '../models/AgentConfig.js';
import type { Team } from '../models/Team.js';
import { foldName } from '../utils/foldName.js';
import { sanitizeName } from './memberName.js';
import { TeamFileError } from './readRegularFile.js';
import { resolveTeam } from './resolveTeam.js';

/** An agent that was found on this machine. */
export interface AvailableAgent {
  readonly agentType: AgentType;
  readonly label: string;
}

export interface DefaultTeamInput {
  readonly agents: readonly AvailableAgent[];
  /** Login name of the person, in any form. */
  readonly userName: string;
}

export interface DefaultTeam {
  readonly team: Team;
  /** No agent was found: simulated agents have to answer. */
  readonly rehearsal: boolean;
}

/**
 * Creates the team of a person without a team file: that person and the agents that were found, read-only.
 *
 * @example
 * ```ts
 * const installed = (await detectAgents()).filter(({ file }) => file !== undefined);
 * const { team } = createDefaultTeam({ agents: installed, userName: 'kim' });
 * ```
 */
export function createDefaultTeam(input: DefaultTeamInput): DefaultTeam {
  const result = resolveTeam(draftTeamFile(input), { interactive: true });
  if (!result.ok) throw new TeamFileError(result.problems);
  return { team: result.team, rehearsal: input.agents.length === 0 };
}

/** The same as the value of a team file, to be written out. */
export function draftTeamFile({ agents, userName }: DefaultTeamInput) {
  const members = nameAgents(agents.length > 0 ? agents : rehearsalCast());
  const agentNames = members.map(({ name }) => name);
  return {
    version: 1,
    name: 'team',
    members: [{ name: nameHuman(userName, agentNames), type: 'human' }, ...members],
  };
}

/** A member for each agent that needs only its own program. */
function rehearsalCast(): readonly AvailableAgent[] {
  return AGENT_TYPES.flatMap(({ command, type: agentType, label }) =>
    command ? [{ agentType, label }] : [],
  );
}

/** `claude`, and for a second one `claude-2`. */
function nameAgents(agents: readonly AvailableAgent[]) {
  const seen = new Map<string, number>();
  return agents.map(({ agentType, label }) => {
    const shortName = findAgentType(agentType)?.aliases[0] ?? agentType;
    const count = (seen.get(shortName) ?? 0) + 1;
    seen.set(shortName, count);
    const name = count === 1 ? shortName : `${shortName}-${count}`;
    return { name, type: 'ai', agentType: shortName, title: label };
  });
}

/** Returns the login name if it can be a name and no agent has it. */
function nameHuman(userName: string, agentNames: readonly string[]): string {
  const name = sanitizeName(userName);
  const isFree = name !== undefined && agentNames.every((agent) => foldName(agent) !== foldName(name));
  return isFree ? name : 'you';
}
