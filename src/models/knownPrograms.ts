import { ACP_AGENTS, type AcpAgentInfo, baseName, findAcpAgent } from './AcpAgents.js';
import { AGENT_TYPES, type AgentTypeInfo, findAgentType, normalizeAgentType } from './AgentConfig.js';
import type { AgentMember } from './Team.js';
import type { FailureFacts } from './TurnOutcome.js';

type Program = Pick<AgentMember, 'agentType' | 'command' | 'isProjectProgram'>;

/** The variables of credentials that a member gets, if they are set: those of its own vendor, and those its entry names. */
export function credentialsOf({
  agentType,
  command = [],
  credentials = [],
  isProjectProgram = false,
}: Program & Pick<AgentMember, 'credentials'>): readonly string[] {
  if (isProjectProgram) return credentials;
  const info = findAgentType(normalizeAgentType(agentType));
  const row = info?.isAcp ? findAcpAgent(command) : info;
  return [...new Set([...(row?.credentialVariables ?? []), ...credentials])];
}

/**
 * Whether anything holds a member to its permission. Of a program that Huddle does not know this cannot be said, whatever
 * type the team file gives it: it runs with the rights of the user.
 */
export function isHeldToPermission({ agentType, command, isProjectProgram }: Program): boolean {
  if (isProjectProgram) return false;
  const info = findAgentType(agentType);
  if (info?.isAcp) return findAcpAgent(command ?? [])?.keepsToPermission ?? false;
  const isItsOwn = command === undefined || baseName(command[0] ?? '') === info?.command?.[0];
  return info?.keepsToPermission === true && isItsOwn;
}

/** Whether programs of a type may keep to a permission, if they are those that Huddle knows. */
export function mayBeHeld(agentType: string): boolean {
  const info = findAgentType(agentType);
  return info === undefined || info.isAcp === true || info.keepsToPermission === true;
}

/** The name of a program for people: `Claude Code`, `OpenCode`. Of an ACP agent it is known by the command only. */
export function programLabel({ agentType, command = [] }: Program): string {
  const info = findAgentType(agentType);
  return (info?.isAcp ? findAcpAgent(command)?.label : undefined) ?? info?.label ?? agentType;
}

/** The failure of a program that is not there, by the name it is called by: with what installs it, where that is known. */
export function missingProgram(program: string): Extract<FailureFacts, { reason: 'not-found' }> {
  const known = [...AGENT_TYPES, ...ACP_AGENTS].find(({ command }) => command?.[0] === program);
  const { label, installHint: install } = known ?? {};
  return { code: 'AGENT_MISSING', reason: 'not-found', program, ...(install && { label, install }) };
}

/** Result of looking for a program that cannot be started. */
type FailedLookup =
  | { readonly kind: 'not-executable'; readonly file: string }
  | { readonly kind: 'missing'; readonly passedOver?: string };

/** The reason why a program that was looked for is not started. */
export function explainLookup(
  program: string,
  lookup: FailedLookup,
): Extract<FailureFacts, { code: 'AGENT_MISSING' }> {
  const code = 'AGENT_MISSING';
  if (lookup.kind === 'not-executable') return { code, reason: 'not-executable', file: lookup.file };
  const { passedOver: file } = lookup;
  return file === undefined ? missingProgram(program) : { code, reason: 'not-trusted', program, file };
}

/** The facts about a member that its price depends on. */
interface Priced {
  readonly agentType?: string;
  readonly model?: string;
}

/**
 * The name under which `prices` has what a member uses: its model, or for a CLI that chooses one itself the CLI's short
 * name, such as `codex`. Undefined for other programs, of which anything may be behind the name.
 */
export function priceNameOf({ agentType = '', model }: Priced): string | undefined {
  if (model !== undefined) return model;
  const info = findAgentType(normalizeAgentType(agentType));
  return info?.command && (info.aliases[0] ?? info.type);
}

/** Whether a member reports tokens only, so that its cost is known only with a price. */
export function needsPrice({ agentType = '' }: Priced): boolean {
  return findAgentType(normalizeAgentType(agentType))?.reports === 'tokens';
}

/** Whether the cost of a member is known only with a price, and there is none. */
export function lacksPrice(member: Priced, prices: ReadonlyArray<{ readonly model: string }>): boolean {
  const name = priceNameOf(member);
  return needsPrice(member) && !prices.some(({ model }) => model === name);
}

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
