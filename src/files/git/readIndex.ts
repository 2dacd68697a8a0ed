import type { FileState } from '../../models/FileChange.js';
import type { BytePath, ObjectFormat } from '../paths.js';

/** An entry of an index file, with what can be told about it without asking git. */
export interface IndexEntry {
  readonly path: BytePath;
  readonly mode: string;
  readonly id: string;
  /** Size of the file in the folder when git last looked at it. */
  readonly size: number;
  /** A plain file or link of which git itself would see every change: no submodule, no conflict, not set aside by the user. */
  readonly isPlain: boolean;
}

/** Parts of an index file that lead to other files, or stand for folders that are not listed. */
const ODD_EXTENSIONS = new Set(['link', 'sdir']);

const HEADER_BYTES = 12;
const STAT_BYTES = 40;
const ASSUME_VALID = 0x8000;
const EXTENDED = 0x4000;
const STAGE = 0x3000;
/** Length of the name; one that is as long or longer ends at a zero byte. */
const NAME_LENGTH = 0xfff;
/** Flags of the second half: not checked out, or announced without content. */
const SKIP_WORKTREE = 0x4000;
const INTENT_TO_ADD = 0x2000;
const FILE_TYPE = 0o170000;
const SUBMODULE = 0o160000;

/** Reads an index file of git, versions 2 to 4, or of it only what is wanted; `undefined` if it is anything but plain. */
export function readIndex(
  bytes: Buffer,
  format: ObjectFormat,
  wanted?: ReadonlySet<BytePath>,
): IndexEntry[] | undefined {
  const idBytes = format === 'sha1' ? 20 : 32;
  if (bytes.length < HEADER_BYTES + idBytes || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const count = bytes.readUInt32BE(8);
  // Most names are passed over by their length, without being read.
  const lengths = wanted && new Set(Array.from(wanted, (path) => path.length));
  const entries: IndexEntry[] = [];
  let position = HEADER_BYTES;
  let last = '';
  for (let index = 0; index < count; index++) {
    const start = position;
    if (start + STAT_BYTES + idBytes + 2 > bytes.length) return undefined;
    position = start + STAT_BYTES + idBytes;
    const flags = bytes.readUInt16BE(position);
    position += 2;
    const isExtended = (flags & EXTENDED) !== 0;
    const more = isExtended ? bytes.readUInt16BE(position) : 0;
    if (isExtended) position += 2;
    if (version === 4) {
      // The name begins like the one before it, but for so many characters.
      const [dropped, after] = readVariableNumber(bytes, position);
      const end = bytes.indexOf(0, after);
      if (end === -1 || dropped > last.length) return undefined;
      last = last.slice(0, last.length - dropped) + bytes.toString('latin1', after, end);
      position = end + 1;
    } else {
      const length = flags & NAME_LENGTH;
      const end = length < NAME_LENGTH ? position + length : bytes.indexOf(0, position);
      if (end === -1 || bytes[end] !== 0) return undefined;
      const name = position;
      // One to eight zero bytes, up to a multiple of eight.
      position = start + ((end - start + 8) & ~7);
      if (lengths?.has(end - name) === false) continue;
      last = bytes.toString('latin1', name, end);
    }
    if (wanted?.has(last) === false) continue;
    const mode = bytes.readUInt32BE(start + 24);
    const size = bytes.readUInt32BE(start + 36);
    const id = bytes.toString('hex', start + STAT_BYTES, start + STAT_BYTES + idBytes);
    const isAside = (flags & (ASSUME_VALID | STAGE)) !== 0 || (more & (SKIP_WORKTREE | INTENT_TO_ADD)) !== 0;
    const isPlain = !isAside && (mode & FILE_TYPE) !== SUBMODULE;
    entries.push({ path: last, mode: mode.toString(8), id, size, isPlain });
  }
  return hasOddExtension(bytes, position, bytes.length - idBytes) ? undefined : entries;
}

function hasOddExtension(bytes: Buffer, start: number, end: number): boolean {
  let position = start;
  while (position + 8 <= end) {
    if (ODD_EXTENSIONS.has(bytes.toString('latin1', position, position + 4))) return true;
    position += 8 + bytes.readUInt32BE(position + 4);
  }
  return position !== end;
}

/** Seven bits a byte, the first ones first, each continued one higher than it says. */
function readVariableNumber(bytes: Buffer, start: number): [value: number, end: number] {
  let position = start;
  let byte = bytes[position++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes[position++] ?? 0;
    value = ((value + 1) << 7) | (byte & 0x7f);
  }
  return [value, position];
}

/** An entry of `diff-files --raw -z`: how the last record had the file, and whether it is gone. */
export interface RawEntry {
  readonly path: BytePath;
  readonly before: FileState;
  readonly isGone: boolean;
}

const RAW_HEAD = /^:(\d+) \d+ ([0-9a-f]+) [0-9a-f]+ ([A-Z])\d*$/u;

/** Reads `diff-files --raw -z`. */
export function readRaw(output: string): RawEntry[] {
  const fields = splitAtNull(output);
  const entries: RawEntry[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, mode, id, status] = RAW_HEAD.exec(fields[index] ?? '') ?? [];
    if (mode === undefined || id === undefined) throw new Error(`unexpected output of git: ${fields[index]}`);
    entries.push({ path: fields[index + 1] ?? '', before: { mode, id }, isGone: status === 'D' });
  }
  return entries;
}

const STAGE_HEAD = /^(\d+) ([0-9a-f]+) \d$/u;

/** Reads `ls-files -s -z`. */
export function readStages(output: string): Map<BytePath, FileState> {
  const states = new Map<BytePath, FileState>();
  for (const line of splitAtNull(output)) {
    const tab = line.indexOf('\t');
    const [, mode, id] = STAGE_HEAD.exec(line.slice(0, tab)) ?? [];
    if (mode === undefined || id === undefined) throw new Error(`unexpected output of git: ${line}`);
    states.set(line.slice(tab + 1), { mode, id });
  }
  return states;
}

/** The fields of an output that ends each with a zero byte. */
export function splitAtNull(output: string): string[] {
  const fields = output.split('\0');
  if (fields.at(-1) === '') fields.pop();
  return fields;
}
