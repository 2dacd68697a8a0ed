import { words } from '../catalogue/words.js';
import { isUnpriced, type Usage } from '../conversation/usage.js';
import { needsPrice, priceNameOf } from '../models/priceNameOf.js';
import { quoteForShell } from '../utils/quoteForShell.js';

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
export function explainUnpriced(members: readonly UnpricedMember[]): readonly string[] {
  return groupByPrice(members).flatMap((missing) => [words.cost.noPrice(label(missing)), advise(missing)]);
}

/** The missing prices in a few words each: `gpt-5 (sarah)`. */
export function labelUnpriced(members: readonly UnpricedMember[]): readonly string[] {
  return groupByPrice(members).map(label);
}

/** The lines of `explainUnpriced` that say how to add each price. */
export function adviseUnpriced(members: readonly UnpricedMember[]): readonly string[] {
  return groupByPrice(members).map(advise);
}

function groupByPrice(members: readonly UnpricedMember[]): readonly MissingPrice[] {
  const groups = new Map<string | undefined, string[]>();
  for (const member of members) {
    const price = priceNameOf(member);
    groups.set(price, [...(groups.get(price) ?? []), member.name]);
  }
  return Array.from(groups, ([price, names]) => ({ names, ...(price !== undefined && { price }) }));
}

function label({ price, names }: MissingPrice): string {
  const isSame = price === undefined || (names.length === 1 && names[0] === price);
  return isSame ? names.join(', ') : words.cost.priceOf(price, names);
}

function advise({ price, names }: MissingPrice): string {
  return price === undefined ? words.cost.nameModel(names) : words.cost.addPrice(quoteForShell(price));
}
