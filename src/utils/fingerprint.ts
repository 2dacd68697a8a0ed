/** Multipliers of the two halves; large, odd, and without a pattern in their bits. */
const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f] as const;
const HALF = 2 ** 32;
/** A safe integer has 53 bits: a whole half and 21 bits of the other. */
const UPPER_BITS = 21;

/** A whole number below 2^53 for a text; two texts have the same one by accident, once in thousands of millions of millions. */
export function fingerprint(text: string): number {
  let [lower, upper] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    lower = Math.imul(lower ^ unit, PRIMES[0]);
    upper = Math.imul(upper ^ unit, PRIMES[1]);
  }
  lower = Math.imul(lower ^ (lower >>> 16), PRIMES[2]) ^ Math.imul(upper ^ (upper >>> 13), PRIMES[3]);
  upper = Math.imul(upper ^ (upper >>> 16), PRIMES[2]) ^ Math.imul(lower ^ (lower >>> 13), PRIMES[3]);
  return (upper >>> (32 - UPPER_BITS)) * HALF + (lower >>> 0);
}
