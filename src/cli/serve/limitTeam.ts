import { words } from '../../catalogue/words.js';
import type { TeamChanges } from '../../coordinator/Conversations.js';
import { HuddleError } from '../../models/errors.js';
import { isHeldToPermission } from '../../models/knownPrograms.js';
import type { Member, Team } from '../../models/Team.js';
import { agentsOf } from '../../routing/teamMembers.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { READ_ONLY } from '../team/adjustTeam.js';

export interface LimitedTeam {
  readonly team: Team;
  /** Names of the members that cannot be held to reading. */
  readonly leftOut: readonly string[];
}

/** The team with less rights, lower limits and another view of a question, as a front end asks for it. */
export function limitTeam(team: Team, { permission, fanout, limits = {} }: TeamChanges): LimitedTeam {
  const { agentTurns, usd } = team.limits;
  const changed = {
    ...team,
    routing: { ...team.routing, ...(fanout && { fanout }) },
    limits: {
      ...team.limits,
      agentTurns: lowest(agentTurns, limits.agentTurns) ?? agentTurns,
      usd: lowest(usd, limits.usd),
    },
  };
  return permission === 'read' ? holdToReading(changed) : { team: changed, leftOut: [] };
}

function holdToReading(team: Team): LimitedTeam {
  const agents = agentsOf(team);
  const loose = agents.filter((member) => !isHeldToPermission(member));
  const leftOut = loose.map(({ name }) => name);
  if (loose.length === agents.length)
    throw new HuddleError('NO_READER', () => sanitizeToOneLine(words.adjust.noReader(leftOut)));
  const members = team.members.flatMap((member): Member[] => {
    if (member.type === 'human') return [member];
    return loose.includes(member) ? [] : [{ ...member, ...READ_ONLY }];
  });
  return { team: { ...team, members }, leftOut };
}

function lowest(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
