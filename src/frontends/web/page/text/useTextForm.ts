import { useLayoutEffect, useState } from 'preact/hooks';
import type { ReadOptions, TextForm } from './TextParser.js';
import { textParser } from './textParserOfPage.js';

/** The form of a text: until it is read that of the text before, if there was one, so that a growing text does not flicker. */
export function useTextForm(text: string, { isGrowing = false }: ReadOptions = {}): TextForm | undefined {
  const [latest, setLatest] = useState(() => textParser.known(text));
  const known = textParser.known(text);
  useLayoutEffect(
    () => (textParser.known(text) ? undefined : textParser.read(text, setLatest, { isGrowing })),
    [text, isGrowing],
  );
  return known ?? latest;
}
