import { crc32 } from 'node:zlib';

/** Of a text and of the place it belongs to, so that a text in the wrong place is as wrong as a changed one. */
export function checksumOf(text: string | Uint8Array, ...place: readonly (string | number)[]): number {
  return crc32(text, crc32(`${place.join('\n')}\n`));
}
