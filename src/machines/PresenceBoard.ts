import type { ConversationPresence, Holder, PresenceChange } from '../coordinator/ConversationPresence.js';
import { HuddleError } from '../models/errors.js';
import type { HumanMember, Team } from '../models/Team.js';
import type { PresenceNews } from '../store/postgres/SharedStore.js';
import { type Broadcast, createBroadcast } from '../utils/broadcast.js';
import { foldName } from '../utils/foldName.js';
import type { Logger } from '../utils/logger.js';
import type { SharedState } from './SharedConversation.js';

/** Notes who shares a conversation, for front ends. */
export class PresenceBoard implements ConversationPresence {
  readonly role: string;
  readonly speaker: string | undefined;
  readonly #broadcast: Broadcast<PresenceChange>;
  #state: Pick<SharedState, 'holder' | 'here'> = { holder: null, here: [] };
  /** The last process that held it, be it that it is gone. */
  #lastHolder: Holder | null = null;
  #silence: number | null = null;

  constructor(team: Team, role: string, logger: Logger = {}) {
    this.role = role;
    this.speaker = personOf(team, role)?.name;
    this.#broadcast = createBroadcast((error) => logger.error?.(`A listener failed: ${String(error)}`));
  }

  get holder(): Holder | null {
    return this.#state.holder;
  }

  get here(): readonly string[] {
    return this.#state.here;
  }

  get silence(): number | null {
    return this.#silence;
  }

  /** Whether a living process other than this one holds the conversation. */
  get isHeldElsewhere(): boolean {
    const { holder } = this.#state;
    return holder !== null && !holder.isGone && !holder.isHere;
  }

  /** The holder, or who it was last, as people write it; null: nobody held it since this process is here. */
  get holderName(): string | null {
    const holder = this.#state.holder ?? this.#lastHolder;
    return holder && `${holder.role}@${holder.host}`;
  }

  subscribe(listener: (news: PresenceChange) => void): () => void {
    return this.#broadcast.subscribe(listener);
  }

  report(news: PresenceChange): void {
    this.#broadcast.send(news);
  }

  /** Notes what the store says now; whoever follows hears when the holder is gone. */
  note(state: SharedState, isFollowing: boolean): void {
    const before = this.#state;
    const wasElsewhere = this.isHeldElsewhere;
    this.#state = { holder: state.holder, here: state.here };
    if (JSON.stringify(before) !== JSON.stringify(this.#state)) this.report({ kind: 'changed' });
    if (wasElsewhere && isFollowing && !this.isHeldElsewhere && before.holder !== null) {
      this.#lastHolder = before.holder;
      const kind = state.holder?.isGone ? 'holder-gone' : 'holder-left';
      this.report({ kind, role: before.holder.role });
    }
  }

  /** Notes whether the store answers. */
  noteStore(news: PresenceNews): void {
    const before = this.#silence;
    this.#silence = news.kind === 'silent' ? news.milliseconds : news.kind === 'back' ? null : before;
    if (before !== this.#silence) this.report({ kind: 'changed' });
  }
}

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
