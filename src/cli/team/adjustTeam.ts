import { isArgumentWord } from '../../agents/dialect/Dialect.js';
import { words } from '../../catalogue/words.js';
import type { TeamChanges } from '../../coordinator/Conversations.js';
import { findAgentType } from '../../models/AgentConfig.js';
import { HuddleError } from '../../models/errors.js';
import { isHeldToPermission } from '../../models/knownPrograms.js';
import type { AgentMember, Member, Team } from '../../models/Team.js';
import { agentsOf } from '../../routing/teamMembers.js';
import { foldName } from '../../utils/foldName.js';
import { nearest } from '../../utils/nearest.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { RunFlags } from '../start/RunFlags.js';
import { UsageError } from '../start/reportError.js';

/** A team as one run starts it, and what to tell the user about that. */
interface AdjustedTeam {
  readonly team: Team;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/** Gives agents the models of the command line, and with `--read-only` the least permission. Nothing is ever raised. */
export function adjustTeam(
  team: Team,
  { model = [], readOnly = false }: Pick<RunFlags, 'model' | 'readOnly'>,
): AdjustedTeam {
  const models = new Map(model.map((entry) => readModel(entry, team)));
  const adjust = (member: Member): Member => {
    if (member.type === 'human') return member;
    const named = models.get(member.id);
    return { ...member, ...(named !== undefined && { model: named }), ...(readOnly && READ_ONLY) };
  };
  const limited = readOnly ? agentsOf(team) : [];
  const held = limited.filter(isHeldToPermission).map(({ name }) => name);
  const loose = limited.filter((member) => !isHeldToPermission(member)).map(({ name }) => name);
  return {
    team: { ...team, members: team.members.map(adjust) },
    notes: [
      ...agentsOf(team).flatMap(({ id, name }) => {
        const named = models.get(id);
        return named === undefined ? [] : [words.adjust.model(name, named)];
      }),
      ...(held.length === 0 ? [] : [words.adjust.readOnly(held)]),
    ],
    warnings: loose.length === 0 ? [] : [words.adjust.notHeld(loose)],
  };
}

/** Tools that a team file allows beyond `read` are not allowed either. */
const READ_ONLY = { permission: 'read', allow: [] } as const;

/** `max=opus`, or `opus` if there is only one agent. */
function readModel(entry: string, team: Team): readonly [AgentMember['id'], string] {
  const [, name, model = entry] = /^([^=]*)=(.*)$/su.exec(entry) ?? [];
  const { id } = name === undefined ? findOnlyAgent(entry, team) : findAgent(name, team);
  if (!isArgumentWord(model)) throw new UsageError(words.adjust.badModel(sanitizeToOneLine(entry)));
  return [id, model];
}

function findAgent(wanted: string, team: Team): AgentMember {
  const agents = agentsOf(team);
  const found = agents.find(({ name }) => foldName(name) === foldName(wanted));
  if (found !== undefined) return requireModels(found);
  const names = agents.map(({ name }) => name);
  const near = nearest(wanted, names);
  throw new UsageError(words.adjust.noAgent(sanitizeToOneLine(wanted), near, names));
}

function findOnlyAgent(model: string, team: Team): AgentMember {
  const agents = agentsOf(team);
  const [only] = agents;
  if (only !== undefined && agents.length === 1) return requireModels(only);
  const names = agents.map(({ name }) => name);
  throw new UsageError(words.adjust.whichAgent(sanitizeToOneLine(model), names));
}

function requireModels(member: AgentMember): AgentMember {
  const { takesModel = false, label = member.agentType } = findAgentType(member.agentType) ?? {};
  if (takesModel) return member;
  throw new UsageError(words.adjust.noModels(member.name, label));
}

interface LimitedTeam {
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
