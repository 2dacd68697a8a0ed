/** The form in which names are compared: case, width, spaces, `-` and `_` do not matter. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]+/gu, '');
}
