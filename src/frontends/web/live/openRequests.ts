import { isOpen } from '../../../presentation/LiveTurn.js';
import type { Telling } from '../../../presentation/Telling.js';
import type { OpenRequest } from '../wire.js';

/** The permission requests that wait for a person, whole, in the order in which they came. */
export function openRequests({ turns }: Pick<Telling, 'turns'>): OpenRequest[] {
  return turns
    .flatMap(({ turnId, member, permissions }) =>
      permissions.filter(isOpen).map((request) => ({ ...request, turnId, memberName: member.name })),
    )
    .sort((one, other) => (one.number ?? 0) - (other.number ?? 0));
}
