import { isUnpriced, summarizeUsage } from '../../conversation/usage.js';
import type { ConversationEvent, TurnEnd } from '../../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../models/ids.js';

/** The usage of some turns together. */
export interface UsageTotals {
  readonly turns: number;
  /** Time in which at least one of them ran. */
  readonly milliseconds: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usd: number;
  /** Some of `usd` is worked out from the prices of the team file. */
  readonly isEstimated: boolean;
  /** Members that spent tokens at an unknown price; `usd` is without them. */
  readonly unpriced: readonly MemberId[];
}

/** Adds up what the turns of this process took. */
export class TurnTotals {
  readonly #ends: TurnEnd[] = [];
  readonly #running = new Set<TurnId>();
  #runningSince = 0;
  #milliseconds = 0;

  take(event: ConversationEvent): void {
    if (event.type === 'turn-start') {
      if (this.#running.size === 0) this.#runningSince = event.at;
      this.#running.add(event.turnId);
    }
    if (event.type === 'turn-end') {
      this.#ends.push(event);
      if (this.#running.delete(event.turnId) && this.#running.size === 0)
        this.#milliseconds += Math.max(0, event.at - this.#runningSince);
    }
  }

  /** Turns that Huddle itself cut off are not counted: they are found when a conversation is opened again, and took nothing now. */
  get sum(): UsageTotals {
    const ends = this.#ends.filter(
      ({ result }) => result.kind !== 'interrupted' || result.worker !== undefined,
    );
    return { turns: ends.length, milliseconds: this.#milliseconds, ...usageOf(ends) };
  }
}

function usageOf(ends: readonly TurnEnd[]): Omit<UsageTotals, 'turns' | 'milliseconds'> {
  const used = ends.flatMap(({ turnId, memberId, usage }) => (usage ? [{ turnId, memberId, usage }] : []));
  const { total, members } = summarizeUsage(used);
  return {
    inputTokens: total.inputTokens,
    outputTokens: total.outputTokens,
    usd: total.usd,
    isEstimated: total.prices.estimated > 0,
    unpriced: members.filter(isUnpriced).map(({ memberId }) => memberId),
  };
}
