import { english } from './english.js';

/** Every sentence shown to people, in one language. */
export type Catalogue = typeof english;

/** The sentences of the chosen language. Read when a sentence is made, never kept: the choice comes after the modules are loaded. */
export let words: Catalogue = english;

/** Chooses the language of everything that is said from now on. */
export function speak(catalogue: Catalogue): void {
  words = catalogue;
}
