import type { Limits } from '../models/Team.js';
import type { Attempt } from './Attempt.js';

type Spent = Required<Pick<Limits, 'usd' | 'tokens'>>;

/** The money and the tokens of a whole replay, in however many conversations. */
export class Budget {
  readonly #limits: Partial<Spent>;
  #spent: Spent = { usd: 0, tokens: 0 };

  constructor({ usd, tokens }: Pick<Limits, 'usd' | 'tokens'>) {
    this.#limits = { ...(usd !== undefined && { usd }), ...(tokens !== undefined && { tokens }) };
  }

  /** Counts what came of a question. */
  take({ turns }: Attempt): void {
    for (const { inputTokens, outputTokens, usd = 0 } of turns)
      this.#spent = {
        usd: roundMoney(this.#spent.usd + usd),
        tokens: this.#spent.tokens + inputTokens + outputTokens,
      };
  }

  /** Whether no turn may start any more. */
  get isSpent(): boolean {
    const { usd = Infinity, tokens = Infinity } = this.#limits;
    return this.#spent.usd >= usd || this.#spent.tokens >= tokens;
  }

  /** The limits of a conversation that begins now. */
  get left(): Pick<Limits, 'usd' | 'tokens'> {
    const { usd, tokens } = this.#limits;
    return {
      ...(usd !== undefined && { usd: roundMoney(usd - this.#spent.usd) }),
      ...(tokens !== undefined && { tokens: tokens - this.#spent.tokens }),
    };
  }
}

/** Sums are kept to a billionth of a dollar, as limits count them. */
function roundMoney(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}
