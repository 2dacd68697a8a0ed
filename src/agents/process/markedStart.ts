import { accessSync, closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { isAbsolute } from 'node:path';

const PRLIMIT = '/usr/bin/prlimit';
/** An interpreter may be a script itself, so often and no more (see execve(2)). */
const MOST_INTERPRETERS = 4;
const LONGEST_FIRST_LINE = 256;

/** Where the fields of a 64-bit program file are, see elf(5). */
const ELF = {
  magic: '\x7fELF\x02',
  kind: [5, 18, 19],
  headerLength: 64,
  segmentsOffset: 32,
  segmentLength: 54,
  segmentCount: 56,
  interpreterSegment: 3,
  segmentFileOffset: 8,
  segmentFileLength: 32,
} as const;

/** A program and its arguments, to be started. */
export interface Start {
  readonly file: string;
  readonly args: readonly string[];
}

let canSetLimits: boolean | undefined;

/**
 * The start of a program that has the limit on resident memory from its first moment: a mark that is inherited whatever
 * else is cleared, and that Linux shows but does not enforce (see setrlimit(2)). `prlimit` sets it and becomes the
 * program. A program that the system might refuse is started without it, so that the system's own word is heard.
 */
export function markStart(start: Start, limit: string): Start {
  canSetLimits ??= mayWeSetLimits();
  if (!canSetLimits || !surelyStarts(start.file)) return start;
  return { file: PRLIMIT, args: [`--rss=${limit}:`, start.file, ...start.args] };
}

function mayWeSetLimits(): boolean {
  try {
    accessSync(PRLIMIT, constants.X_OK);
    return /^Max resident set +\S+ +unlimited/mu.test(readFileSync('/proc/self/limits', 'latin1'));
  } catch {
    return false; // Another system, or one without the program.
  }
}

/** Whether this is a program for this machine, or a script for one, with all the interpreters that it takes. */
function surelyStarts(file: string, interpreters = 0): boolean {
  let descriptor: number | undefined;
  try {
    accessSync(file, constants.X_OK);
    descriptor = openSync(file, 'r');
    const interpreter = readInterpreter(descriptor);
    if (interpreter === '') return true;
    if (interpreter === undefined || !isAbsolute(interpreter)) return false;
    return interpreters < MOST_INTERPRETERS && surelyStarts(interpreter, interpreters + 1);
  } catch {
    return false; // It is not there, or not ours to read.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** `''`: it needs none. `undefined`: it is nothing we know. */
function readInterpreter(descriptor: number): string | undefined {
  const head = read(descriptor, 0, LONGEST_FIRST_LINE);
  const script = /^#![ \t]*([^\s\0]+)[^\n]*\n/u.exec(head.toString('latin1'));
  if (script !== null) return script[1];
  const own = ownHead();
  const isOurKind =
    head.toString('latin1', 0, ELF.magic.length) === ELF.magic &&
    ELF.kind.every((index) => head[index] === own[index]);
  return isOurKind ? readLoader(descriptor, head) : undefined;
}

function readLoader(descriptor: number, head: Buffer): string {
  const length = head.readUInt16LE(ELF.segmentLength);
  const count = head.readUInt16LE(ELF.segmentCount);
  const segments = read(descriptor, Number(head.readBigUInt64LE(ELF.segmentsOffset)), length * count);
  for (let at = 0; at + length <= segments.length; at += length) {
    if (segments.readUInt32LE(at) !== ELF.interpreterSegment) continue;
    const offset = Number(segments.readBigUInt64LE(at + ELF.segmentFileOffset));
    const size = Number(segments.readBigUInt64LE(at + ELF.segmentFileLength));
    return read(descriptor, offset, size).toString('latin1').replace(/\0.*$/su, '');
  }
  return '';
}

let ownHeadBytes: Buffer | undefined;

/** How the program begins that runs us: it is for this machine. */
function ownHead(): Buffer {
  if (ownHeadBytes !== undefined) return ownHeadBytes;
  const descriptor = openSync('/proc/self/exe', 'r');
  try {
    ownHeadBytes = read(descriptor, 0, ELF.headerLength);
  } finally {
    closeSync(descriptor);
  }
  return ownHeadBytes;
}

function read(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(Math.min(length, 64 * 1024));
  return buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, position));
}
