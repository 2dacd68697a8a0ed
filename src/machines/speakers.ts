import { HuddleError } from '../models/errors.js';
import type { HumanMember, Team } from '../models/Team.js';
import { foldName } from '../utils/foldName.js';

/** The person of a team that a role of a shared store speaks as; none: it can read, not speak. */
export function personOf({ members }: Team, role: string): HumanMember | undefined {
  return members.find(
    (member): member is HumanMember => member.type === 'human' && (member.role ?? member.id) === role,
  );
}

/**
 * The person that speaks, who is always the role itself.
 *
 * @param as Name that a front end was given.
 * @throws {@link HuddleError} `ROLE_NOT_IN_TEAM`, `SPEAKS_AS_ITSELF`.
 */
export function requireSelf(team: Team, role: string, as: string | undefined): HumanMember {
  const person = personOf(team, role);
  if (person === undefined) throw new HuddleError('ROLE_NOT_IN_TEAM', { role });
  if (as !== undefined && foldName(as) !== person.id) throw new HuddleError('SPEAKS_AS_ITSELF', { role });
  return person;
}
