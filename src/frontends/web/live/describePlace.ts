import { summarizeTeam } from '../../../coordinator/ConversationStarter.js';
import type { Conversations, TeamHere } from '../../../coordinator/Conversations.js';
import { HuddleError } from '../../../models/errors.js';
import { showMembers } from '../../../presentation/Telling.js';
import type { WhoAmI } from '../wire.js';
import { toWireError } from './toWireError.js';

/** The part of `WhoAmI` that is about the place: the team that would work there now, or the reason why none would. */
export type DescribedPlace = Pick<WhoAmI, 'team' | 'people' | 'refusal'>;

export async function describePlace(conversations: Conversations, folder: string): Promise<DescribedPlace> {
  try {
    return describeTeam(await conversations.teamOf(folder));
  } catch (error) {
    if (!(error instanceof HuddleError)) throw error;
    return { people: [], refusal: toWireError(error) };
  }
}

/** Whether there is neither a team file nor an agent. */
export function hasNoAgent({ refusal, team }: DescribedPlace): boolean {
  return team === undefined && refusal?.code === 'AGENT_MISSING';
}

function describeTeam({ team, refusal }: TeamHere): DescribedPlace {
  const { name, members } = summarizeTeam(team);
  return {
    team: { name, members: showMembers(members) },
    people: members.filter(({ type }) => type === 'human').map((member) => member.name),
    ...(refusal && { refusal: toWireError(refusal) }),
  };
}
