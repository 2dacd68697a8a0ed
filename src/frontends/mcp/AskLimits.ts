import { formatMoney } from '../../catalogue/formats.js';
import type { WordsOf } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import type { Limits } from '../../models/Team.js';
import type { ServerLimits } from './McpOptions.js';

const MOST_AT_ONCE = 2;
const DEFAULT_USD = 5;

/** Limits of one ask within those of the server. */
export interface Allowance {
  readonly agentTurns: number;
  /** Dollars that may be spent, in this ask and in all others from now on. */
  readonly usd: number;
  /** Dollars that all asks together may cost. */
  readonly maxUsd: number;
}

/** Counts the asks of a server, their turns and their cost. */
export class AskLimits {
  readonly #limits: ServerLimits;
  readonly #words: WordsOf<'mcp' | 'telling'>;
  #asks = 0;
  #running = 0;
  /** Turns that have run, and those that running asks may still run. */
  #turns = 0;
  #usd = 0;

  constructor(limits: ServerLimits, words: WordsOf<'mcp' | 'telling'>) {
    this.#limits = limits;
    this.#words = words;
  }

  /** Lets one more ask begin. @throws {@link HuddleError} `ASK_LIMIT`. */
  begin(): void {
    const { maxAsks } = this.#limits;
    const { askLimit } = this.#words.mcp;
    if (this.#running >= MOST_AT_ONCE) throw atLimit(askLimit.atOnce(MOST_AT_ONCE));
    if (this.#asks >= maxAsks) throw atLimit(askLimit.asks(maxAsks));
    this.#asks += 1;
    this.#running += 1;
  }

  /** Takes back an ask of which nothing came. */
  withdraw(): void {
    this.#asks -= 1;
    this.#running -= 1;
  }

  /** Reserves turns for an ask: two at once share what is left. @throws {@link HuddleError} `ASK_LIMIT`. */
  allow(limits: Pick<Limits, 'agentTurns' | 'usd'>, wantedTurns: number | undefined): Allowance {
    const { maxTurns } = this.#limits;
    const { askLimit } = this.#words.mcp;
    const turns = maxTurns - this.#turns;
    const maxUsd = this.#limits.maxUsd ?? limits.usd ?? DEFAULT_USD;
    const usd = maxUsd - this.#usd;
    if (turns <= 0) throw atLimit(askLimit.turns(maxTurns));
    if (usd <= 0) throw atLimit(askLimit.usd(formatMoney(maxUsd, this.#words)));
    const agentTurns = Math.min(wantedTurns ?? limits.agentTurns, limits.agentTurns, turns);
    this.#turns += agentTurns;
    return { agentTurns, usd, maxUsd };
  }

  /** Counts money. Returns whether the limit is reached: other asks are to end then. */
  spend(usd: number, { maxUsd }: Allowance): boolean {
    this.#usd += usd;
    return this.#usd >= maxUsd;
  }

  /** Gives back the turns that an ask was allowed and did not run. */
  giveBack({ agentTurns }: Allowance, turnsRun: number): void {
    this.#turns -= Math.max(0, agentTurns - turnsRun);
  }

  /** Notes that an ask is over. */
  end(allowance: Allowance, turnsRun: number): void {
    this.giveBack(allowance, turnsRun);
    this.#running -= 1;
  }
}

function atLimit(message: string): HuddleError {
  return new HuddleError('ASK_LIMIT', message);
}
