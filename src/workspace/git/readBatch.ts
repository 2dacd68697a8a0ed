const LINE_FEED = 10;

/**
 * Takes apart the output of `cat-file --batch` as it comes: for each object a line `id kind length`, its content and a line
 * feed; for one that is nowhere a line that says so. Hands on every content when it is whole.
 */
export function createBatchReader(onContent: (content: Buffer) => void): (chunk: Buffer) => void {
  let pending: Buffer[] = [];
  let length = 0;
  /** Bytes that must be there before anything can be told. */
  let needed = 1;
  return (chunk) => {
    pending.push(chunk);
    length += chunk.length;
    if (length < needed) return;
    let bytes = pending.length === 1 ? chunk : Buffer.concat(pending);
    for (;;) {
      const end = bytes.indexOf(LINE_FEED);
      if (end === -1) {
        needed = bytes.length + 1;
        break;
      }
      const [, kind, size] = bytes.toString('latin1', 0, end).split(' ');
      const isMissing = size === undefined;
      const start = end + 1;
      const next = isMissing ? start : start + Number(size) + 1;
      if (bytes.length < next) {
        needed = next;
        break;
      }
      if (!isMissing && kind === 'blob') onContent(bytes.subarray(start, next - 1));
      bytes = bytes.subarray(next);
    }
    pending = [bytes];
    length = bytes.length;
  };
}
