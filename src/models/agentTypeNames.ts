import { ACP_AGENTS, type AcpAgentInfo } from './AcpAgents.js';
import { AGENT_TYPES, type AgentTypeInfo, findAgentType, normalizeAgentType } from './AgentConfig.js';

/** The known ACP agents that a team file may name by their program; `gemini` is the name of another type. */
const namedAcpAgents: readonly AcpAgentInfo[] = ACP_AGENTS.filter(
  ({ id }) => findAgentType(normalizeAgentType(id)) === undefined,
);

/** Names of agent types that are offered to people, one for each program. Types that need a command are last. */
export const OFFERED_AGENT_TYPES: readonly string[] = [
  ...AGENT_TYPES.filter(({ command }) => command !== undefined).map(shortNameOf),
  ...namedAcpAgents.filter(({ promptsOf }) => promptsOf === undefined).map(({ id }) => id),
  ...AGENT_TYPES.filter(({ command }) => command === undefined).map(({ type }) => type),
];

/** Every name that a team file may write as `agentType`. */
export const AGENT_TYPE_NAMES: readonly string[] = [
  ...new Set([
    ...OFFERED_AGENT_TYPES,
    ...AGENT_TYPES.flatMap(({ type, aliases }) => [...aliases, type]),
    ...namedAcpAgents.map(({ id }) => id),
  ]),
];

/** The agent type that a team file means, and the command that its name stands for. */
export interface NamedAgentType {
  readonly info: AgentTypeInfo;
  readonly label: string;
  readonly command?: readonly string[];
}

/** `claude` → Claude Code; `opencode` → an ACP agent that `opencode acp` starts. Undefined: no such name. */
export function findNamedAgentType(name: string): NamedAgentType | undefined {
  const info = findAgentType(normalizeAgentType(name));
  if (info !== undefined) return { info, label: info.label, command: info.command };
  const id = name.trim().toLowerCase();
  const agent = namedAcpAgents.find((known) => known.id === id);
  const acp = AGENT_TYPES.find(({ isAcp }) => isAcp);
  return agent && acp && { info: acp, label: agent.label, command: agent.command };
}

/** The short name of a type: `claude` for `claude-code`. */
export function shortNameOf({ type, aliases }: AgentTypeInfo): string {
  return aliases[0] ?? type;
}
