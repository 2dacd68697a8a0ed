/** What can be shown of one request: everything together, in characters. */
export const MOST_SHOWN = 256 * 1024;

const ITEM_WEIGHT = 8;

/** About how many characters a parsed value takes; stops counting when it is more than `most`. */
export function weigh(value: unknown, most: number): number {
  const rest = [value];
  let weight = 0;
  while (rest.length > 0 && weight <= most) {
    const item = rest.pop();
    weight += typeof item === 'string' ? item.length : ITEM_WEIGHT;
    if (typeof item !== 'object' || item === null) continue;
    for (const key of Object.keys(item)) {
      weight += key.length;
      rest.push((item as Record<string, unknown>)[key]);
      if (weight > most) break;
    }
  }
  return weight;
}
