const MAX_CHARACTERS = 80;

/** Anything that does not show as itself: controls, bidirectional and zero-width characters, separators. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A text from a file as one line that is safe to print on a terminal, in full. */
export function quoteText(text: string): string {
  return `"${showInvisible(text)}"`;
}

/** A text from a file, safe to print on a terminal. */
export function showInvisible(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** The beginning of a text that is too long for a line. */
export function shortenText(text: string, maxCharacters = MAX_CHARACTERS): string {
  const kept = [...text.slice(0, maxCharacters * 2)].slice(0, maxCharacters).join('');
  return kept.length < text.length ? `${kept}…` : kept;
}
