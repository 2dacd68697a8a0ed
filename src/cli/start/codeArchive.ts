import { crc32 } from 'node:zlib';

/** The file beside the chunks of the program in which the build puts their compiled code. */
export const CODE_ARCHIVE = 'compiled.bin';

/** V8 copies code that begins elsewhere. */
const ALIGNMENT = 8;

/** The first line of an archive; the code follows. */
interface Index {
  readonly compiler: string;
  readonly chunks: Readonly<Record<string, Place>>;
}

/** The place of a chunk, and the checksum of its source and code: V8 checks neither, and crashes over damaged code. */
type Place = readonly [offset: number, length: number, checksum: number];

/** Code that V8 has compiled, and the source that it is of. */
export interface CompiledChunk {
  readonly source: string;
  readonly code: Buffer;
}

export function formatCodeArchive(compiled: ReadonlyMap<string, CompiledChunk>): Buffer {
  const chunks: Record<string, Place> = {};
  const parts: Buffer[] = [];
  let end = 0;
  for (const [chunk, { source, code }] of compiled) {
    chunks[chunk] = [end, code.length, checksumOf(source, code)];
    const padded = Buffer.concat([code], roundUp(code.length));
    parts.push(padded);
    end += padded.length;
  }
  const index = Buffer.from(JSON.stringify({ compiler: describeCompiler(), chunks } satisfies Index));
  const line = Buffer.alloc(roundUp(index.length + 1), ' ');
  line.set(index);
  line.write('\n', line.length - 1);
  return Buffer.concat([line, ...parts]);
}

/** Finds the code of a chunk by its name and source. `undefined` for an archive that another Node made, or that is none. */
export function parseCodeArchive(
  archive: Buffer,
): ((chunk: string, source: string) => Buffer | undefined) | undefined {
  const start = archive.indexOf('\n') + 1;
  const index = parseIndex(archive.toString('utf8', 0, start));
  if (index?.compiler !== describeCompiler()) return undefined;
  const places = new Map(Object.entries(index.chunks));
  return (chunk, source) => {
    const [offset = 0, length = 0, checksum] = places.get(chunk) ?? [];
    const code = archive.subarray(start + offset, start + offset + length);
    return checksum === checksumOf(source, code) ? code : undefined;
  };
}

function parseIndex(line: string): Index | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // Damaged.
  }
}

/** V8 compares the rest itself: its flags, and what the processor can do. */
function describeCompiler(): string {
  return `${process.version} ${process.arch}`;
}

function checksumOf(source: string, code: Buffer): number {
  return crc32(code, crc32(source));
}

function roundUp(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}
