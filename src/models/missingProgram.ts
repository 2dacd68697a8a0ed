import { ACP_AGENTS } from './AcpAgents.js';
import { AGENT_TYPES } from './AgentConfig.js';

/** A program that cannot be started because it is not there: what happened, and what to do. */
export interface MissingProgram {
  readonly message: string;
  readonly hint: string;
}

/** By the name it is called by. */
export function describeMissingProgram(name: string): MissingProgram {
  if (name.includes('/'))
    return { message: `${name} does not exist`, hint: 'Check the command of this member in the team file.' };
  const known = [...AGENT_TYPES, ...ACP_AGENTS].find(({ command }) => command?.[0] === name);
  if (known?.installHint === undefined)
    return { message: `${name} not found on PATH`, hint: 'Install it, or add its folder to PATH.' };
  return {
    message: `${known.label} (${name}) not found on PATH`,
    hint: `Install: ${known.installHint}`,
  };
}
