import type { Preset, PresetRole } from '../../../catalogue/presets.js';

/** A role of a preset with the agent that takes it. */
export interface AssignedRole extends PresetRole {
  /** As a team file may write it. */
  readonly agentType: string;
}

/** Gives every role to the agent it is meant for, or else to the installed one with the fewest roles. */
export function assignRoles({ roles }: Preset, installed: readonly string[]): readonly AssignedRole[] {
  const taken = new Map(
    installed.map((type) => [type, roles.filter(({ prefers }) => prefers === type).length]),
  );
  return roles.map((role) => {
    if (taken.has(role.prefers) || taken.size === 0) return { ...role, agentType: role.prefers };
    const [agentType, count] = [...taken].reduce((least, next) => (next[1] < least[1] ? next : least));
    taken.set(agentType, count + 1);
    return { ...role, agentType };
  });
}
