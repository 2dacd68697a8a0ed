import { findPreset, PRESET_NAMES } from '../catalogue/presets.js';
import { words } from '../catalogue/words.js';
import type { Team } from '../models/Team.js';

/** The scripted replies for a team with the roles of a preset, and nothing for any other team. */
export function findPresetReplies({ members }: Team): { readonly script?: unknown } {
  const agents = namesOf(members.filter(({ type }) => type === 'ai'));
  const preset = PRESET_NAMES.find((name) => namesOf(findPreset(name).roles) === agents);
  return preset === undefined ? {} : { script: words.rehearsal.replies[preset] };
}

function namesOf(roles: readonly { readonly name: string }[]): string {
  return roles
    .map(({ name }) => name)
    .sort()
    .join();
}
