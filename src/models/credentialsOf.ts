import { findAcpAgent } from './AcpAgents.js';
import { findAgentType, normalizeAgentType } from './AgentConfig.js';
import type { AgentMember } from './Team.js';

/** The variables of credentials that a member gets, if they are set: those of its own vendor, and those its entry names. */
export function credentialsOf({
  agentType,
  command = [],
  credentials = [],
}: Pick<AgentMember, 'agentType' | 'command' | 'credentials'>): readonly string[] {
  const info = findAgentType(normalizeAgentType(agentType));
  const row = info?.isAcp ? findAcpAgent(command) : info;
  return [...new Set([...(row?.credentialVariables ?? []), ...credentials])];
}
