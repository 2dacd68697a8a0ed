import { crc32 } from 'node:zlib';

/** Checksum of a text and of its place, so that a text in the wrong place is as wrong as a changed one. */
export function checksumOf(text: string | Uint8Array, ...place: readonly (string | number)[]): number {
  return crc32(text, crc32(`${place.join('\n')}\n`));
}
