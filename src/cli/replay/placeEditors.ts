import { words } from '../../catalogue/words.js';
import type { AgentMember, Member, Team } from '../../models/Team.js';
import { agentsOf } from '../../routing/teamMembers.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { UsageError } from '../start/reportError.js';

/** A team as a replay starts it, and what to say about its files. */
export interface PlacedTeam {
  readonly team: Team;
  readonly notes: readonly string[];
}

/**
 * Lets members that can edit work in copies, each in its own: an old question must not change the folder of today, and every
 * run has to begin with the same files. `inPlace`: where they work in any other run.
 */
export function placeEditors(team: Team, { inPlace = false }: { readonly inPlace?: boolean }): PlacedTeam {
  const editors = agentsOf(team).filter(canEdit);
  const names = editors.map(({ name }) => sanitizeToOneLine(name));
  if (editors.length === 0) return { team, notes: [] };
  const { editorsInCopies, editorsInPlace, noCopies } = words.replay;
  if (inPlace) return { team, notes: [editorsInPlace(names)] };
  if (team.files?.record === false) throw new UsageError(noCopies(names));
  const place = (member: Member): Member =>
    member.type === 'ai' && canEdit(member) ? { ...member, workspace: 'copy' } : member;
  return { team: { ...team, members: team.members.map(place) }, notes: [editorsInCopies(names)] };
}

/** A check looks at the copy of the member that it checks. */
function canEdit({ permission, check }: AgentMember): boolean {
  return permission !== 'read' && check !== true;
}
