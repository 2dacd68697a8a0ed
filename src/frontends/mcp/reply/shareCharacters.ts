/** Gives each text its share of the room: those that need less leave the rest to the others. */
export function shareCharacters(lengths: readonly number[], room: number): readonly number[] {
  const shares = new Map<number, number>();
  let left = Math.max(0, room);
  const byLength = lengths
    .map((length, place) => ({ length, place }))
    .sort((one, other) => one.length - other.length);
  for (const [index, { length, place }] of byLength.entries()) {
    const share = Math.min(length, Math.floor(left / (byLength.length - index)));
    shares.set(place, share);
    left -= share;
  }
  return lengths.map((_, place) => shares.get(place) ?? 0);
}
