import { MOMENT_MILLISECONDS } from './Rest.js';

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
