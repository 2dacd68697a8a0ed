import type { Telling } from '../../../../presentation/Telling.js';
import type { OpenRequest } from '../../wire.js';

/** Time for which something has to be on the screen, in its place, before an answer about it counts. */
export const MOMENT_MILLISECONDS = 1000;

/** Knows since when a part of the page is in its place. */
export class Rest {
  #place: string | undefined;
  #since = 0;
  #seen = Number.NEGATIVE_INFINITY;

  /** Takes a look at a time in milliseconds; returns whether the part has been where it is for a moment. It has no place while it cannot be seen. */
  look(place: string | undefined, now: number): boolean {
    const isWatched = now - this.#seen <= MOMENT_MILLISECONDS;
    if (place === undefined || place !== this.#place || !isWatched) this.#since = now;
    this.#seen = now;
    this.#place = place;
    return now - this.#since >= MOMENT_MILLISECONDS;
  }
}

/** The place of the page where one permission request is shown. */
export interface RequestPlace {
  /** The request that is shown there. */
  readonly shown?: string;
  /** The time from which the place takes a request by itself; infinite while one waits until the person goes to it. */
  readonly freeAt: number;
}

/** Returns the place with the requests that are open now, oldest first. None takes the place of another that was just there. */
export function settlePlace(place: RequestPlace, open: readonly string[], now: number): RequestPlace {
  if (place.shown !== undefined && open.includes(place.shown)) return place;
  const rested = now + MOMENT_MILLISECONDS;
  const freeAt = place.shown === undefined ? place.freeAt : rested;
  const [oldest] = open;
  if (oldest === undefined) return { freeAt: Math.min(freeAt, rested) };
  return now >= freeAt ? { shown: oldest, freeAt } : { freeAt: Number.POSITIVE_INFINITY };
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
