import { english } from './english.js';

/** The same keys with other sentences. */
type InAnyWords<Part> = Part extends (...facts: infer Facts) => infer Said
  ? (...facts: Facts) => InAnyWords<Said>
  : Part extends string
    ? string
    : { readonly [Key in keyof Part]: InAnyWords<Part[Key]> };

/** Every sentence shown to people, in one language. */
export type Catalogue = InAnyWords<typeof english>;

/** Some sections of a catalogue: what makes a sentence says which it needs, and takes them from its caller. */
export type WordsOf<Section extends keyof Catalogue> = Pick<Catalogue, Section>;

/** The sentences of the chosen language. Read when a sentence is made, never kept: the choice comes after the modules are loaded. */
export let words: Catalogue = english;

/** Makes sentences in another language than the chosen one. Nothing may wait in it: whatever is said meanwhile is said so. */
export function speaking<Value>(catalogue: Catalogue, make: () => Value): Value {
  const chosen = words;
  words = catalogue;
  try {
    return make();
  } finally {
    words = chosen;
  }
}

/** Chooses the language of every sentence made from now on. */
export function speak(catalogue: Catalogue): void {
  words = catalogue;
}
