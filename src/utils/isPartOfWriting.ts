import { whenUsed } from './whenUsed.js';

const [NON_JOINER, JOINER] = [0x200c, 0x200d];
const [TEXT_STYLE, EMOJI_STYLE] = [0xfe0e, 0xfe0f];
const KEYCAP = '\u20e3';

/** Letters and marks of the scripts whose letters take their shape from their neighbours. */
const SHAPED_SCRIPTS = [
  ...['Arab', 'Syrc', 'Mand', 'Nkoo', 'Mong', 'Phag', 'Adlm', 'Rohg'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh'],
  ...['Tibt', 'Mymr', 'Khmr', 'Bali', 'Java'],
];

/** Characters, each alone in a text. */
const kinds = whenUsed(() => {
  const shaped = SHAPED_SCRIPTS.map((script) => `\\p{scx=${script}}`).join('');
  return {
    picture: /^\p{Extended_Pictographic}$/u,
    pictureOrSkin: /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u,
    key: /^[0-9#*]$/u,
    han: /^\p{scx=Han}$/u,
    mongolian: /^(?!\p{DI})\p{scx=Mong}$/u,
    inWord: /^(?!\p{DI})[\p{L}\p{M}\p{N}]$/u,
    shaped: new RegExp(`^(?!\\p{DI})(?=[\\p{L}\\p{M}])[${shaped}]$`, 'u'),
  };
});

function is(kind: keyof ReturnType<typeof kinds>, character: string): boolean {
  return kinds()[kind].test(character);
}

/**
 * Whether an invisible character stands where a script or an emoji needs it: a joiner inside 👩‍💻 or a Persian word, a style
 * after ❤, a variant of a Han or Mongolian letter. Alone, doubled or between other letters it is not.
 */
export function isPartOfWriting(text: string, index: number, code: number): boolean {
  switch (code) {
    case NON_JOINER:
    case JOINER:
      return isJoining(text, index, code);
    case TEXT_STYLE:
    case EMOJI_STYLE: {
      const before = characterBefore(text, index);
      return is('picture', before) || (is('key', before) && text[index + 1] === KEYCAP);
    }
    default:
      if (code >= 0x180b && code <= 0x180f && code !== 0x180e)
        return is('mongolian', characterBefore(text, index));
      return code >= 0xe0100 && code <= 0xe01ef && is('han', characterBefore(text, index));
  }
}

/** A joiner also ends a word: it shows the letter as if another followed. A non-joiner parts what stands on both sides. */
function isJoining(text: string, index: number, code: number): boolean {
  if (isJoiner(text.charCodeAt(index - 1)) || isJoiner(text.charCodeAt(index + 1))) return false;
  const before = characterBefore(text, index);
  const after = characterAt(text, index + 1);
  const [isShapedBefore, isShapedAfter] = [is('shaped', before), is('shaped', after)];
  if (code === NON_JOINER)
    return (isShapedBefore || isShapedAfter) && is('inWord', before) && is('inWord', after);
  return isShapedBefore || isShapedAfter || isJoiningPictures(text, index, after);
}

function isJoiner(unit: number): boolean {
  return unit === JOINER || unit === NON_JOINER;
}

function isJoiningPictures(text: string, index: number, after: string): boolean {
  const isStyled = text.charCodeAt(index - 1) === EMOJI_STYLE;
  const before = characterBefore(text, isStyled ? index - 1 : index);
  return is('picture', after) && is(isStyled ? 'picture' : 'pictureOrSkin', before);
}

function characterBefore(text: string, index: number): string {
  return index >= 2 && (text.codePointAt(index - 2) ?? 0) > 0xffff
    ? text.slice(index - 2, index)
    : text.slice(Math.max(0, index - 1), index);
}

function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}
