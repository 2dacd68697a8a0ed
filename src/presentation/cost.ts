import { describePrices, formatSum } from '../catalogue/formats.js';
import type { WordsOf } from '../catalogue/words.js';
import {
  type ForkUsage,
  isUnpriced,
  type Spending,
  summarizeUsage,
  type Usage,
} from '../conversation/usage.js';
import type { ConversationEvent, TurnEnd } from '../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../models/ids.js';
import { needsPrice, priceNameOf } from '../models/knownPrograms.js';
import { formatNumber } from '../utils/formatNumber.js';
import { quoteForShell } from '../utils/quoteForShell.js';

/** A column of a table: its head, and whether it holds numbers, which stand to the right. */
export interface Column {
  readonly head: string;
  readonly isNumber?: boolean;
}

/** The cost, member by member and in the last row in total. Its texts are not yet safe to show. */
export function costColumns(words: WordsOf<'cost'>): readonly Column[] {
  const { member, turns, input, cached, output, money, price } = words.cost.heads;
  const numbers = [turns, input, cached, output, money].map((head) => ({ head, isNumber: true }));
  return [{ head: member }, ...numbers, { head: price }];
}

export function costRows(
  { total, members }: Usage,
  nameOf: (memberId: string) => string,
  words: WordsOf<'cost' | 'telling'>,
  fork?: ForkUsage,
): readonly (readonly string[])[] {
  const { inherited, here } = words.cost.heads;
  return [
    ...members.map((spent) => rowOf(nameOf(spent.memberId), spent, words)),
    ...(fork === undefined ? [] : [rowOf(inherited, fork.inherited, words), rowOf(here, fork.here, words)]),
    rowOf(words.cost.heads.all, total, words),
  ];
}

function rowOf(name: string, spent: Spending, words: WordsOf<'cost' | 'telling'>): readonly string[] {
  const counts = [spent.turns, spent.inputTokens, spent.cachedInputTokens, spent.outputTokens];
  return [
    name,
    ...counts.map((count) => formatNumber(count)),
    formatSum(spent, words),
    describePrices(spent, words),
  ];
}

/** The facts about a member that are told when its price is unknown. */
interface UnpricedMember {
  readonly name: string;
  readonly agentType?: string;
  readonly model?: string;
}

/** A price that is missing, and the members that need it. Without a name it can only be added once they name their model. */
interface MissingPrice {
  readonly price?: string;
  readonly names: readonly string[];
}

/** The members that spent tokens at an unknown price, and would have a known one if it were set. */
export function findUnpriced<Member extends Pick<UnpricedMember, 'agentType'> & { readonly id: string }>(
  { members: spending }: Usage,
  members: readonly Member[],
): readonly Member[] {
  const ids = new Set<string>(spending.filter(isUnpriced).map(({ memberId }) => memberId));
  return members.filter((member) => ids.has(member.id) && needsPrice(member));
}

/** Lines that say which prices are missing and how to add each. Their texts are not yet safe to show. */
export function explainUnpriced(
  members: readonly UnpricedMember[],
  words: WordsOf<'cost'>,
): readonly string[] {
  return groupByPrice(members).flatMap((missing) => [
    words.cost.noPrice(label(missing, words)),
    advise(missing, words),
  ]);
}

/** The missing prices in a few words each: `gpt-5 (sarah)`. */
export function labelUnpriced(members: readonly UnpricedMember[], words: WordsOf<'cost'>): readonly string[] {
  return groupByPrice(members).map((missing) => label(missing, words));
}

/** The lines of `explainUnpriced` that say how to add each price. */
export function adviseUnpriced(
  members: readonly UnpricedMember[],
  words: WordsOf<'cost'>,
): readonly string[] {
  return groupByPrice(members).map((missing) => advise(missing, words));
}

function groupByPrice(members: readonly UnpricedMember[]): readonly MissingPrice[] {
  const groups = new Map<string | undefined, string[]>();
  for (const member of members) {
    const price = priceNameOf(member);
    groups.set(price, [...(groups.get(price) ?? []), member.name]);
  }
  return Array.from(groups, ([price, names]) => ({ names, price }));
}

function label({ price, names }: MissingPrice, words: WordsOf<'cost'>): string {
  const isSame = price === undefined || (names.length === 1 && names[0] === price);
  return isSame ? names.join(', ') : words.cost.priceOf(price, names);
}

function advise({ price, names }: MissingPrice, words: WordsOf<'cost'>): string {
  return price === undefined ? words.cost.nameModel(names) : words.cost.addPrice(quoteForShell(price));
}

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
