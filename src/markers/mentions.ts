import { foldName } from '../utils/foldName.js';
import { whenUsed } from '../utils/whenUsed.js';
import { LiveText } from './brackets.js';
import { ForwardSpans, type Span } from './forward.js';
import { findInertText } from './inertText.js';
import { splitNames } from './markers.js';

/** `@word`, or `[NEXT word, word]` as people write it who forget the colon. */
const mention = whenUsed(
  () => /[@＠](?<word>[\p{L}\p{M}\p{N}_-]+)|[[［]NEXT[ \t]+(?<list>[^[［\]］\n:：]{1,200})[\]］]/giu,
);
/** Scripts without spaces between words, and Korean, which adds its particles to a name. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
/** Characters allowed right before `@`: not a letter, as in an address, not a quotation mark, not a slash. */
const before = whenUsed(
  () =>
    new RegExp(`(?:^|[\\s(*,;!?]|[${UNSPACED}]|(?![「『《〈])[^\\p{ASCII}\\p{L}\\p{M}\\p{N}\\p{Pi}])$`, 'u'),
);
/** Characters that make the word before them a path, a domain, an address or a call. */
const CODE_AFTER = /[(@＠]|\/(?![@＠])|\.[\p{L}\p{N}_-]/uy;
const JOINED = new Set(['/', '&', '+']);
const unspacedStart = whenUsed(() => new RegExp(`^[${UNSPACED}]`, 'u'));
/** Longer than any name. */
const LONGEST_WORD = 128;

interface Mention extends Span {
  readonly names: readonly string[];
}

/**
 * The members whom a text calls by name, each once, in the order of the text: `@bob`, or `[NEXT bob]` without its colon.
 * They act where a marker would: not in code, quotes and comments, nor behind a backslash. Unlike a marker, the words
 * stay in the text, and a word that is no member's name is a word. Linear time.
 */
export function findMentions(text: string, names: readonly string[]): readonly string[] {
  const mentions = readMentions(text, new KnownNames(names));
  if (mentions.length === 0) return [];
  const places = new ForwardSpans(mentions);
  const inert = findInertText(text, ({ start, end }) => (places.after(start)?.start ?? end) < end);
  const live = new LiveText(text, inert);
  return [
    ...new Set(mentions.filter((mention) => live.accepts(mention)).flatMap((mention) => mention.names)),
  ];
}

function readMentions(text: string, known: KnownNames): readonly Mention[] {
  if (!/[@＠[［]/u.test(text)) return [];
  const mentions: Mention[] = [];
  const pattern = new RegExp(mention());
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { index: start, groups: { word, list = '' } = {} } = match;
    const end = pattern.lastIndex;
    const isJoined = mentions.at(-1)?.end === start - 1 && JOINED.has(text.charAt(start - 1));
    const names = word === undefined ? known.findAll(list) : readWord(text, { start, end, isJoined }, known);
    if (names.length > 0) mentions.push({ start, end, names });
    else if (word === undefined) pattern.lastIndex = start + '[NEXT'.length;
  }
  return mentions;
}

/** `isJoined`: it follows another mention, as in `@bob/@max`. */
function readWord(
  text: string,
  { start, end, isJoined }: Span & { readonly isJoined: boolean },
  known: KnownNames,
): readonly string[] {
  if (!isJoined && !before().test(text.slice(Math.max(0, start - 2), start))) return [];
  const found = known.find(text.slice(start + 1, end));
  if (found === undefined) return [];
  CODE_AFTER.lastIndex = end;
  return found.isWhole && CODE_AFTER.test(text) ? [] : [found.name];
}

interface FoundName {
  readonly name: string;
  /** Nothing of the word is left over. */
  readonly isWhole: boolean;
}

/** Names as they are compared; a word is looked up once, however often it stands in a text. */
class KnownNames {
  /** Longest first. */
  readonly #names: ReadonlyArray<readonly [folded: string, name: string]>;
  readonly #found = new Map<string, FoundName | undefined>();

  constructor(names: readonly string[]) {
    this.#names = names
      .map((name) => [foldName(name), name] as const)
      .toSorted(([one], [other]) => other.length - one.length);
  }

  /** The name that a word is or, in scripts without spaces, begins with. */
  find(word: string): FoundName | undefined {
    if (this.#found.has(word)) return this.#found.get(word);
    const folded = foldName(word.slice(0, LONGEST_WORD));
    const match = this.#names.find(
      ([name]) =>
        folded.startsWith(name) && (folded === name || unspacedStart().test(folded.slice(name.length))),
    );
    const found = match && { name: match[1], isWhole: folded === match[0] };
    this.#found.set(word, found);
    return found;
  }

  /** All names of a list, or none when there is a stranger in it. */
  findAll(list: string): readonly string[] {
    const words = splitNames(list).map((name) => name.replace(/^[@＠]/u, ''));
    const names = words.flatMap((word) => {
      const found = this.find(word);
      return found?.isWhole ? found.name : [];
    });
    return names.length === words.length ? names : [];
  }
}
