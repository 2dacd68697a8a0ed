import { summarizeTeam } from '../../../coordinator/ConversationStarter.js';
import type { House } from '../../../coordinator/Conversations.js';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import { HuddleError } from '../../../models/errors.js';
import type { ConversationId } from '../../../models/ids.js';
import type { Limits, Team } from '../../../models/Team.js';
import { showMembers } from '../../../presentation/Telling.js';
import { toArray } from '../../../utils/AnyIterable.js';
import type { WhoAmI, WireError } from '../wire.js';

/** Conversations that are listed together. */
export interface ListedHouse {
  readonly house: House;
  readonly isDemo?: true;
}

/** The user's conversations, and those with simulated agents once there are any. */
export class Houses {
  readonly #own: House;
  readonly #openDemo: (() => Promise<House>) | undefined;
  readonly #demoIds = new Set<string>();
  #opening: Promise<House> | undefined;
  #demo: House | undefined;

  constructor(own: House, openDemo: (() => Promise<House>) | undefined) {
    this.#own = own;
    this.#openDemo = openDemo;
  }

  get hasDemo(): boolean {
    return this.#openDemo !== undefined;
  }

  all(): readonly ListedHouse[] {
    return [{ house: this.#own }, ...(this.#demo ? [{ house: this.#demo, isDemo: true } as const] : [])];
  }

  /** The house of a conversation; the user's own for all that are not known. */
  of(id: string): House {
    return (this.#demoIds.has(id) && this.#demo) || this.#own;
  }

  async createDemo(folder: string): Promise<ConversationId> {
    if (this.#openDemo === undefined) throw new HuddleError('NO_DEMO', {});
    this.#opening ??= this.#openDemo();
    this.#demo = await this.#opening;
    const id = await this.#demo.create(folder);
    this.#demoIds.add(id);
    return id;
  }

  async delete(id: ConversationId): Promise<void> {
    await this.of(id).delete(id);
    this.#demoIds.delete(id);
  }

  /** The whole log of a demonstration, which is in the memory of this process alone; undefined for all others. */
  async demoEvents(id: string): Promise<readonly RecordedEvent[] | undefined> {
    if (!this.#demoIds.has(id)) return undefined;
    const { reader } = await this.of(id).read(id);
    return toArray(reader.read()).finally(() => reader.close());
  }

  /** Ends the demonstrations; the user's conversations are closed by whoever opened them. */
  async close(): Promise<void> {
    await this.#opening?.then((demo) => demo.close());
  }
}

/** The part of `WhoAmI` that is about the place: the team that would work there now, or the reason why none would. */
type DescribedPlace = Pick<WhoAmI, 'team' | 'people' | 'refusal'>;

export async function describePlace(
  house: House,
  folder: string,
  describe: (error: unknown) => WireError,
): Promise<DescribedPlace> {
  try {
    const { team, isShared = false, refusal } = await house.teamOf(folder);
    return { ...describeTeam(team, isShared), refusal: refusal && describe(refusal) };
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
