import { foldName } from '../utils/foldName.js';
import { whenUsed } from '../utils/whenUsed.js';

const MAX_NAME_LENGTH = 32;

/** Letters with their marks, digits, `-` and `_`; at least one letter or digit, or no message could name it. */
const NAME = /^(?=.*[\p{L}\p{Nd}])(?:\p{L}\p{M}*|\p{Nd}|[-_])+$/u;
/** Letters by category that show as nothing, such as the Hangul filler. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** Words that markers, prompts or JavaScript give a meaning of their own. */
const RESERVED_NAMES = [
  'all',
  'human',
  'system',
  'next',
  'from',
  'team_task',
  'drop',
  '__proto__',
  'constructor',
] as const;
const reservedFolds: ReadonlySet<string> = new Set(RESERVED_NAMES.map(foldName));

export type NameFault =
  | { readonly code: 'NAME_INVALID'; readonly maxLength: number; readonly use?: string }
  | { readonly code: 'NAME_RESERVED' }
  | { readonly code: 'NAME_MIXED_SCRIPTS'; readonly scripts: readonly string[] };

/** Finds the problem of a member's name, given in NFC; undefined if there is none. */
export function findNameFault(name: string): NameFault | undefined {
  if (!isWellFormed(name)) {
    const use = sanitizeName(name);
    return { code: 'NAME_INVALID', maxLength: MAX_NAME_LENGTH, use };
  }
  if (reservedFolds.has(foldName(name))) return { code: 'NAME_RESERVED' };
  const scripts = scriptsOf(name);
  return canStandTogether(scripts) ? undefined : { code: 'NAME_MIXED_SCRIPTS', scripts: [...scripts] };
}

function isWellFormed(name: string): boolean {
  const length = [...name].length;
  return length >= 1 && length <= MAX_NAME_LENGTH && NAME.test(name) && !INVISIBLE.test(name);
}

/** A valid name made of any text, such as a login name, or undefined when nothing usable is left. */
export function sanitizeName(text: string): string | undefined {
  const kept = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{Nd}_-]+/gu, '-')
    .replace(/^[-_\p{M}]+/u, '');
  const name = [...kept]
    .slice(0, MAX_NAME_LENGTH)
    .join('')
    .replace(/[-_]+$/u, '');
  return isWellFormed(name) && findNameFault(name) === undefined ? name : undefined;
}

/**
 * Scripts in common use by the group they are written in; the East Asian ones are mixed in ordinary words.
 * A letter of any other script counts as `other`, which stands with none of these.
 */
const scripts = whenUsed(
  (): ReadonlyArray<readonly [group: string, letter: RegExp]> => [
    ['Latin', /\p{Script=Latin}/u],
    [
      'East Asian',
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}]/u,
    ],
    ['Cyrillic', /\p{Script=Cyrillic}/u],
    ['Greek', /\p{Script=Greek}/u],
    ['Arabic', /\p{Script=Arabic}/u],
    ['Armenian', /\p{Script=Armenian}/u],
    ['Bengali', /\p{Script=Bengali}/u],
    ['Devanagari', /\p{Script=Devanagari}/u],
    ['Ethiopic', /\p{Script=Ethiopic}/u],
    ['Georgian', /\p{Script=Georgian}/u],
    ['Gujarati', /\p{Script=Gujarati}/u],
    ['Gurmukhi', /\p{Script=Gurmukhi}/u],
    ['Hebrew', /\p{Script=Hebrew}/u],
    ['Kannada', /\p{Script=Kannada}/u],
    ['Khmer', /\p{Script=Khmer}/u],
    ['Lao', /\p{Script=Lao}/u],
    ['Malayalam', /\p{Script=Malayalam}/u],
    ['Myanmar', /\p{Script=Myanmar}/u],
    ['Oriya', /\p{Script=Oriya}/u],
    ['Sinhala', /\p{Script=Sinhala}/u],
    ['Tamil', /\p{Script=Tamil}/u],
    ['Telugu', /\p{Script=Telugu}/u],
    ['Thaana', /\p{Script=Thaana}/u],
    ['Thai', /\p{Script=Thai}/u],
    ['Tibetan', /\p{Script=Tibetan}/u],
  ],
);
/** Latin at most, which is known without the tables of all scripts. */
const PLAIN = /^[\w-]+$/;
const WITHOUT_SCRIPT = /[\p{Script=Common}\p{Script=Inherited}]/u;

function scriptsOf(name: string): ReadonlySet<string> {
  if (PLAIN.test(name)) return new Set(['Latin']);
  const letters = [...name].filter((character) => !WITHOUT_SCRIPT.test(character));
  return new Set(
    letters.map((letter) => scripts().find(([, members]) => members.test(letter))?.[0] ?? 'other'),
  );
}

/** Latin with East Asian letters (阿Q) misleads no reader; see "Highly Restrictive" in Unicode's UTS #39. */
function canStandTogether(scripts: ReadonlySet<string>): boolean {
  return scripts.size <= 1 || (scripts.size === 2 && scripts.has('Latin') && scripts.has('East Asian'));
}
