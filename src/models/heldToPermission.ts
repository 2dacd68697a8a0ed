import { baseName, findAcpAgent } from './AcpAgents.js';
import { findAgentType } from './AgentConfig.js';
import type { AgentMember } from './Team.js';

/**
 * Whether anything holds a member to its permission. Of a program that Huddle does not know nobody can say, whatever type
 * the team file gives it: it runs with the rights of the user.
 */
export function isHeldToPermission({
  agentType,
  command,
}: Pick<AgentMember, 'agentType' | 'command'>): boolean {
  const info = findAgentType(agentType);
  if (info?.isAcp) return findAcpAgent(command ?? [])?.keepsToPermission ?? false;
  const isItsOwn = command === undefined || baseName(command[0] ?? '') === info?.command?.[0];
  return info?.keepsToPermission === true && isItsOwn;
}
