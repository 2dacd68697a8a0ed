/**
 * Whether a path stays inside the folder that it is relative to, and outside of the repository there: no part of it is empty,
 * leads up or is named `.git`, however that is written. Files are written and removed by what a log says, and logs are imported.
 */
export function isPathInside(path: string): boolean {
  return path.split('/').every((part) => part !== '' && !/^(?:\.\.?|\.git)$|\0/iu.test(part));
}

/** Whether the bytes of a name, in base64, are those of the path that people are shown, and needed because it is not UTF-8. */
export function areBytesOf(path: string, bytes: string): boolean {
  try {
    const characters = atob(bytes);
    const values = Uint8Array.from(characters, (character) => character.charCodeAt(0));
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(values);
    return text === path && text.includes('\uFFFD') && isPathInside(characters);
  } catch {
    return false; // No base64.
  }
}
