/** Made when it is first needed: for it the rules of all writing are read, which takes longer than a short command. */
let graphemes: Intl.Segmenter | undefined;

/** The characters of a text as people see them, one after the other. */
export function splitIntoGraphemes(text: string): Iterable<Intl.SegmentData> {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return graphemes.segment(text);
}
