import { ACP_AGENTS } from './AcpAgents.js';
import { AGENT_TYPES } from './AgentConfig.js';
import type { FailureFacts } from './TurnOutcome.js';

/** The failure of a program that is not there, by the name it is called by: with what installs it, where that is known. */
export function missingProgram(program: string): Extract<FailureFacts, { reason: 'not-found' }> {
  const known = [...AGENT_TYPES, ...ACP_AGENTS].find(({ command }) => command?.[0] === program);
  const { label, installHint: install } = known ?? {};
  return { code: 'AGENT_MISSING', reason: 'not-found', program, ...(install && { label, install }) };
}
