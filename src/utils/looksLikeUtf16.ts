/** Text as some editors and shells of Windows write it: by its mark, or by the zero beside the first ASCII letter. */
export function looksLikeUtf16([first, second]: Uint8Array): boolean {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || first === 0 || second === 0;
}
