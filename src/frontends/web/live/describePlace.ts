import { summarizeTeam } from '../../../coordinator/ConversationStarter.js';
import type { House } from '../../../coordinator/Conversations.js';
import { HuddleError } from '../../../models/errors.js';
import type { Team } from '../../../models/Team.js';
import { showMembers } from '../../../presentation/Telling.js';
import type { WhoAmI, WireError } from '../wire.js';

/** The part of `WhoAmI` that is about the place: the team that would work there now, or the reason why none would. */
export type DescribedPlace = Pick<WhoAmI, 'team' | 'people' | 'refusal'>;

export async function describePlace(
  house: House,
  folder: string,
  describe: (error: unknown) => WireError,
): Promise<DescribedPlace> {
  try {
    const { team, isShared = false, refusal } = await house.teamOf(folder);
    return { ...describeTeam(team, isShared), ...(refusal && { refusal: describe(refusal) }) };
  } catch (error) {
    if (!(error instanceof HuddleError)) throw error;
    return { people: [], refusal: describe(error) };
  }
}

/** Whether there is neither a team file nor an agent. */
export function hasNoAgent({ refusal, team }: DescribedPlace): boolean {
  return team === undefined && refusal?.code === 'AGENT_MISSING';
}

function describeTeam(team: Team, isShared: boolean): DescribedPlace {
  const { name, members } = summarizeTeam(team);
  return {
    team: { name, members: showMembers(members) },
    people: isShared ? [] : members.filter(({ type }) => type === 'human').map((member) => member.name),
  };
}
