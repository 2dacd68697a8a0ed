import { findPreset, PRESET_NAMES } from '../../catalogue/presets.js';
import { words } from '../../catalogue/words.js';
import type { Team } from '../../models/Team.js';

/** The script of simulated agents: the preset's for a team with its roles, and for any other team a word on what was asked. */
export function chooseReplies(team: Team): object {
  return findPresetReplies(team) ?? writePlainReplies(team);
}

/** The script for a team with the roles of a preset; checks, which a preset gets from the project, do not count. */
export function findPresetReplies({ members }: Team): object | undefined {
  const agents = namesOf(members.filter((member) => member.type === 'ai' && !member.check));
  const preset = PRESET_NAMES.find((name) => namesOf(findPreset(name).roles) === agents);
  return preset && words.rehearsal.replies[preset];
}

/** A script in which every agent says what it was asked. */
export function writePlainReplies({ members }: Team): object {
  return Object.fromEntries(members.map(({ name }) => [name, [{ text: words.rehearsal.plainReply(name) }]]));
}

function namesOf(roles: readonly { readonly name: string }[]): string {
  return roles
    .map(({ name }) => name)
    .sort()
    .join();
}
