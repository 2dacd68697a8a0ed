import { ACP_AGENTS, baseName, findAcpAgent } from './AcpAgents.js';
import { AGENT_TYPES, findAgentType, normalizeAgentType } from './AgentConfig.js';
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
