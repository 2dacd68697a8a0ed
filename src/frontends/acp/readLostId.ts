/** The id stands before the parameters, and clients write it so. */
const ID = /"id"\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.){1,100}")\s*[,}]/u;

/** The id of a request of which only the beginning is known; null if it is not in there. */
export function readLostId(start: string): string | number | null {
  const [head = ''] = start.split('"params"');
  const [, id] = ID.exec(head) ?? [];
  return id === undefined || !head.includes('"method"') ? null : JSON.parse(id);
}
