import { createRewriter } from './unsafeCharacters.js';

/** Letters, digits and the signs that paths are usually made of. */
const PLAIN = /^[\p{L}\p{M}\p{N}_./+@#%=~,()[\]{}$!^&-]+$/u;

/** Longest name that is shown whole, in UTF-16 units. */
const LONGEST = 160;
const BEGINNING = 48;
const END = 108;

const escapeUnsafe = createRewriter((code) => `\\u{${code.toString(16)}}`);

/**
 * A name that someone else chose, as it stands in text for agents: always on one line, of bounded length, and such that it
 * cannot be taken for anything but a name. One with spaces, quotes, colons or invisible characters stands in quotes.
 */
export function plainName(name: string): string {
  const short = name.length > LONGEST ? `${name.slice(0, BEGINNING)}…${name.slice(-END)}` : name;
  const wellFormed = short.toWellFormed();
  return PLAIN.test(wellFormed) ? wellFormed : escapeUnsafe(JSON.stringify(wellFormed));
}
