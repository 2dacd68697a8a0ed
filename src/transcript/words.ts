import { formatDuration, formatUsage } from '../catalogue/formats.js';
import { dutiesOf, kindAndTitle } from '../catalogue/members.js';
import { words } from '../catalogue/words.js';
import { findAgentType } from '../models/AgentConfig.js';
import type { ShownMember, ToldTurn } from '../presentation/Block.js';

/** Facts about a member besides its name: program, title and permission. */
export function factsOf(member: ShownMember): readonly string[] {
  return [...kindAndTitle(member), ...dutiesOf(member), ...rightsIn(member)];
}

/** The permission of a member, or that nothing holds its program to one. Which program speaks ACP, a log does not tell. */
function rightsIn({ permission, agentType = '' }: ShownMember): readonly string[] {
  const { permissions, notHeld } = words.telling;
  if (permission === undefined) return [];
  const info = findAgentType(agentType);
  const isLoose = info !== undefined && !info.isAcp && !info.keepsToPermission;
  return [isLoose && permission !== 'full' ? notHeld : permissions[permission]];
}

/** The cost of a turn. */
export function costOf({ turnId, milliseconds, usage }: ToldTurn): readonly string[] {
  return [
    turnId,
    formatDuration(milliseconds, { short: true }),
    ...(usage === undefined ? [] : [formatUsage(usage)]),
  ];
}
