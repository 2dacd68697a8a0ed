import { isOpen } from '../../../../presentation/LiveTurn.js';
import type { Telling } from '../../../../presentation/Telling.js';
import type { OpenRequest } from '../../wire.js';

/** The permission requests of a conversation that wait for a person, the oldest first. */
export function requestsOf({ turns }: Pick<Telling, 'turns'>): readonly OpenRequest[] {
  return turns
    .flatMap(({ turnId, member, permissions }) =>
      permissions.filter(isOpen).map((request) => ({ ...request, turnId, memberName: member.name })),
    )
    .toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0));
}

/** The requests of running turns that were decided, the latest last. */
export function decidedOf({ turns }: Pick<Telling, 'turns'>): readonly OpenRequest[] {
  return turns
    .filter(({ ended }) => ended === undefined)
    .flatMap(({ turnId, member, permissions }) =>
      permissions
        .filter(({ number, decision }) => number !== undefined && decision !== undefined)
        .map((request) => ({ ...request, turnId, memberName: member.name })),
    );
}

/** Whether everything that would be allowed is known: what is not shown whole is not allowed here. */
export function isWhole({ kind }: Pick<OpenRequest, 'kind'>): boolean {
  return kind !== undefined;
}

/** Whether the files that a request names are in the folder; nothing where it names none, and of a command, which goes anywhere. */
export function namedPlace({
  kind,
  command,
  paths = [],
  isInFolder,
}: Partial<OpenRequest>): boolean | undefined {
  return kind === 'execute' || command !== undefined || paths.length === 0 ? undefined : isInFolder;
}
