/** The part of a unified diff, as git writes it, that is about one file. */
export interface PatchSection {
  /** The lines from `diff --git` on, each with its line break. */
  readonly text: string;
  /** Name before; of a new file, its name. */
  readonly oldPath: string;
  /** Name after; of a deleted file, the one it had. */
  readonly newPath: string;
}

// Only after a line feed: `^` with the flag m also stands behind the line ends of other systems, which lines may hold.
const SECTION = /(?<![^\n])(?=diff --git )/u;
const HEAD_END = /(?<![^\n])(?:@@ |GIT binary patch(?![^\n])|Binary files )/u;
const MOVED = [/(?<![^\n])(?:rename|copy) from ([^\n]+)/u, /(?<![^\n])(?:rename|copy) to ([^\n]+)/u];
const SIGNS = { added: /(?<![^\n])\+/gu, removed: /(?<![^\n])-/gu };

/** Splits a diff into the parts of its files. In a hunk every line begins with a sign, so that none looks like a head. */
export function splitPatch(patch: string): readonly PatchSection[] {
  return patch
    .split(SECTION)
    .filter((text) => text.startsWith('diff --git '))
    .map((text) => ({ text, ...readNames(headOf(text)) }));
}

/** Numbers of lines that a part of a diff adds and removes. */
export function countLines({ text }: PatchSection): { readonly added: number; readonly removed: number } {
  const body = text.slice(headOf(text).length);
  if (!body.startsWith('@@ ')) return { added: 0, removed: 0 };
  return { added: body.match(SIGNS.added)?.length ?? 0, removed: body.match(SIGNS.removed)?.length ?? 0 };
}

/** Puts a folder before all names, so that the diff fits a folder further up. `prefix` ends with a slash. */
export function prefixPatch(patch: string, prefix: string): string {
  if (prefix === '') return patch;
  return splitPatch(patch)
    .map((section) => prefixSection(section, prefix))
    .join('');
}

function prefixSection({ text }: PatchSection, prefix: string): string {
  const head = headOf(text);
  const [oldName, newName] = namesIn(head);
  const lines = head.split('\n').map((line) => {
    if (line.startsWith('diff --git '))
      return `diff --git ${addPrefix(oldName, 'a/', prefix)} ${addPrefix(newName, 'b/', prefix)}`;
    const [, mark = '', name = '', tab = ''] = NAMED_LINE.exec(line) ?? [];
    if (mark === '' || name === '/dev/null') return line;
    const side = { '--- ': 'a/', '+++ ': 'b/' }[mark];
    if (side === undefined) return `${mark}${addPrefix(name, '', prefix)}`;
    // Git sets a tab behind a name with spaces.
    return `${mark}${addPrefix(name.replace(SIDE, '$1'), side, prefix)}${prefix.includes(' ') ? '\t' : tab}`;
  });
  return lines.join('\n') + text.slice(head.length);
}

const NAMED_LINE = /^(--- |\+\+\+ |(?:rename|copy) (?:from|to) )(.+?)(\t?)$/su;
const SIDE = /^("?)[ab]\//u;

/** A name as git writes it, in quotes if it has to be, below another folder. */
function addPrefix(name: string, side: string, prefix: string): string {
  const inner = name.startsWith('"') ? name.slice(1, -1) : undefined;
  if (inner !== undefined) return `"${side}${escapeName(prefix)}${inner}"`;
  return escapeName(prefix) === prefix
    ? `${side}${prefix}${name}`
    : `"${side}${escapeName(prefix)}${escapeName(name)}"`;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t' };

/** A name inside the quotes in which git writes it. */
export function escapeName(name: string): string {
  return name.replaceAll(
    /["\\\u0000-\u001f\u007f]/gu,
    (character) => ESCAPES[character] ?? `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}

function headOf(text: string): string {
  const { index = text.length } = HEAD_END.exec(text) ?? {};
  return text.slice(0, index);
}

function readNames(head: string): Pick<PatchSection, 'oldPath' | 'newPath'> {
  const [oldName, newName] = namesIn(head);
  return { oldPath: unquote(oldName), newPath: unquote(newName) };
}

/** The two names of a part, in quotes as they are written, without the letters of their sides. */
function namesIn(head: string): readonly [string, string] {
  const moved = MOVED.map((line) => line.exec(head)?.[1]);
  if (moved[0] !== undefined && moved[1] !== undefined) return [moved[0], moved[1]];
  const [first = ''] = head.split('\n');
  const names = first.slice('diff --git '.length);
  const [, quoted] = /^("(?:[^"\\]|\\.)*")/u.exec(names) ?? [];
  // Both are the same but for the letter, so the one is as long as the other.
  const name = (quoted ?? names.slice(0, (names.length - 1) / 2)).replace(SIDE, '$1');
  return [name, name];
}

const UNESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A name as it is, without the quotes and signs of git. */
function unquote(name: string): string {
  if (!name.startsWith('"')) return name;
  const bytes: number[] = [];
  for (const [whole, octal, letter] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(UNESCAPES[letter] ?? letter.charCodeAt(0));
    else bytes.push(...new TextEncoder().encode(whole));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
