/** A line of a unified diff, with the mark it begins with. Its text is not yet safe to show. */
export interface PatchLine {
  /** `file` begins the changes of a file, `hunk` a place in it; `meta` is all that is no line of the file. */
  readonly kind: 'file' | 'meta' | 'hunk' | 'add' | 'remove' | 'context';
  readonly text: string;
}

/** The part of a diff that is about one file. */
export interface PatchPart {
  /** The name after the change, or before it if the file is gone. */
  readonly path: string;
  readonly lines: readonly PatchLine[];
}

const FILE = /^diff --git /u;
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/u;
const MARKS: Readonly<Record<string, 'add' | 'remove' | 'context'>> = {
  '+': 'add',
  '-': 'remove',
  ' ': 'context',
  // Some programs leave out blanks at the end.
  '': 'context',
};

/**
 * Reads a unified diff line by line. The counts of a hunk say where it ends, so that a line of a file which looks like the
 * head of another, such as a removed `-- a/x`, is what it is.
 */
export function* readPatch(patch: string): Generator<PatchLine> {
  let [removed, added] = [0, 0];
  for (const text of linesOf(patch)) {
    const kind = removed + added > 0 ? MARKS[text.slice(0, 1)] : undefined;
    if (kind !== undefined) {
      if (kind !== 'add') removed -= 1;
      if (kind !== 'remove') added -= 1;
      yield { kind, text };
      continue;
    }
    const hunk = HUNK.exec(text);
    if (hunk !== null) [removed, added] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
    else if (!text.startsWith('\\')) [removed, added] = [0, 0];
    yield { kind: hunk !== null ? 'hunk' : FILE.test(text) ? 'file' : 'meta', text };
  }
}

/** Parts a diff by the files it is about. */
export function splitPatch(patch: string): readonly PatchPart[] {
  const parts: PatchLine[][] = [];
  for (const line of readPatch(patch)) {
    if (line.kind === 'file' || parts.length === 0) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts.map((lines) => ({ path: pathIn(lines), lines }));
}

/** The lines of a part that are of the file, or say something about it that its name does not. */
export function bodyOf({ lines }: PatchPart): readonly PatchLine[] {
  return lines.filter(({ kind, text }) => kind !== 'file' && !(kind === 'meta' && NAMES.test(text)));
}

const NAMES =
  /^(?:index |--- |\+\+\+ |similarity index |rename to |copy to |(?:new|deleted) file mode 100644$)/u;
/** Lines that name the file alone, the best first, and whether the name is that of a side: `a/x` or `b/x`. */
const NAMED_BY: ReadonlyArray<readonly [start: RegExp, isSide: boolean]> = [
  [/^\+\+\+ (?!\/dev\/null)/u, true],
  [/^--- (?!\/dev\/null)/u, true],
  [/^(?:rename|copy) to /u, false],
];

function pathIn(lines: readonly PatchLine[]): string {
  const heads = lines.filter(({ kind }) => kind === 'meta').map(({ text }) => text);
  for (const [start, isSide] of NAMED_BY) {
    const head = heads.find((text) => start.test(text));
    const name = head === undefined ? undefined : unquote(head.replace(start, ''));
    if (name !== undefined) return isSide ? withoutSide(name) : name;
  }
  // Then the first line names it twice, and both names are as long.
  const names = (lines[0]?.text ?? '').replace(FILE, '');
  return withoutSide(unquote(names.slice(0, (names.length - 1) / 2)));
}

function withoutSide(name: string): string {
  return name.replace(/^[ab]\//u, '');
}

const ESCAPE = /\\(?:([0-7]{3})|(.))/gu;
const ESCAPED: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** A name as git writes it: between quotes if it has characters in it that could be taken for something else. */
function unquote(name: string): string {
  // Behind a name with a blank in it git puts a tab, so that its end can be found.
  const text = name.replace(/\t$/u, '');
  if (!(text.length > 1 && text.startsWith('"') && text.endsWith('"'))) return text;
  const bytes: number[] = [];
  const push = (part: string): void => {
    for (const byte of new TextEncoder().encode(part)) bytes.push(byte);
  };
  let position = 1;
  for (const { 0: escaped, 1: octal, 2: letter = '', index } of text.matchAll(ESCAPE)) {
    push(text.slice(position, index));
    if (octal === undefined) push(ESCAPED[letter] ?? letter);
    else bytes.push(Number.parseInt(octal, 8));
    position = index + escaped.length;
  }
  push(text.slice(position, -1));
  return new TextDecoder().decode(new Uint8Array(bytes));
}

/** Without copying the whole: a patch may be long. */
function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    yield text.slice(start, end);
    start = end + 1;
  }
}
