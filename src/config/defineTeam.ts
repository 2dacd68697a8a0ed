import type { Team } from '../models/Team.js';
import { type ResolveOptions, resolveTeam } from './resolveTeam.js';
import { TeamFileError } from './TeamFileError.js';
import type { TeamInput } from './TeamInput.js';

/**
 * Creates a team in code: checks it and fills in the defaults. Reads nothing from disk, so there is no `instructionFile`:
 * read the text yourself and pass it as `systemInstruction`.
 *
 * @param input What stands in a `huddle.jsonc`; `version` may be left out.
 * @param options `interactive: true` refuses a team without a person.
 * @returns The team, ready for `createConversation`.
 * @throws {@link TeamFileError} with all `problems` if the team is not valid. Nothing was started.
 *
 * @example
 * ```ts
 * const team = defineTeam({
 *   members: [
 *     { name: 'you', type: 'human' },
 *     { name: 'author', type: 'ai', agentType: 'claude', permission: 'edit' },
 *     { name: 'reviewer', type: 'ai', agentType: 'codex' },
 *   ],
 *   limits: { agentTurns: 8 },
 * });
 * ```
 */
export function defineTeam(input: TeamInput, options: Pick<ResolveOptions, 'interactive'> = {}): Team {
  const result = resolveTeam({ version: 1, ...input }, options);
  if (!result.ok) throw new TeamFileError(result.problems);
  return result.team;
}
