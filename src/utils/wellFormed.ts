/** From this length on it takes so long that nobody should have to do it twice. */
const LONG_TEXT = 64 * 1024;
/** The long text that was looked at last: everybody on its way looks at an answer. */
let last = { given: '', wellFormed: '' };

/** The text without lone surrogates, as `toWellFormed` has it. */
export function wellFormed(given: string): string {
  if (given.length < LONG_TEXT) return given.toWellFormed();
  if (given !== last.given) last = { given, wellFormed: given.toWellFormed() };
  return last.wellFormed;
}
