/** Whether it is UTF-16 (some Windows editors and shells): by a mark, or a zero at the first ASCII letter. */
export function looksLikeUtf16([first, second]: Uint8Array): boolean {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return isMarked || first === 0 || second === 0;
}
