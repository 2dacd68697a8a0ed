import type { MemberId, TurnId } from '../../../models/ids.js';

/** Turns that are over and not forgotten: an agent that is leaving may still report something. */
const MOST_ENDED = 64;

/** The turns that are shown, begun with their first event. */
export class TurnMap<Turn> {
  readonly #create: (turnId: TurnId, memberId: MemberId) => Turn;
  readonly #turns = new Map<TurnId, Turn>();
  readonly #ended = new Set<TurnId>();

  constructor(create: (turnId: TurnId, memberId: MemberId) => Turn) {
    this.#create = create;
  }

  get(turnId: TurnId, memberId: MemberId): Turn {
    const known = this.#turns.get(turnId);
    if (known !== undefined) return known;
    const turn = this.#create(turnId, memberId);
    this.#turns.set(turnId, turn);
    return turn;
  }

  end(turnId: TurnId): void {
    this.#ended.add(turnId);
    if (this.#ended.size <= MOST_ENDED) return;
    const [oldest] = this.#ended;
    if (oldest === undefined) return;
    this.#ended.delete(oldest);
    this.#turns.delete(oldest);
  }
}
