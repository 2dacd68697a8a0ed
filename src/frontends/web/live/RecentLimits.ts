import type { House } from '../../../coordinator/Conversations.js';
import { HuddleError } from '../../../models/errors.js';
import type { Limits } from '../../../models/Team.js';

/** Limits are shown, not applied, so that they may be as old as this. */
const RECENT_MILLISECONDS = 5000;

interface FoundLimits {
  readonly at: number;
  readonly limits: Promise<Partial<Limits>>;
}

/** Limits of the teams of folders, which take a while to find. */
export class RecentLimits {
  readonly #found = new Map<string, FoundLimits>();

  /** Limits of the team that would work in a folder; none if no team would, which is told when someone wants to. */
  of(house: House, folder: string): Promise<Partial<Limits>> {
    const known = this.#found.get(folder);
    const at = performance.now();
    if (known !== undefined && at - known.at < RECENT_MILLISECONDS) return known.limits;
    const limits = findLimits(house, folder);
    this.#found.clear();
    this.#found.set(folder, { at, limits });
    return limits;
  }
}

async function findLimits(house: House, folder: string): Promise<Partial<Limits>> {
  try {
    return (await house.teamOf(folder)).team.limits;
  } catch (error) {
    if (error instanceof HuddleError) return {};
    throw error;
  }
}
