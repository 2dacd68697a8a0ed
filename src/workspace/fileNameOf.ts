import { createHash } from 'node:crypto';

/** Ids as Huddle makes them. */
const PLAIN = /^[\p{L}\p{N}_][\p{L}\p{N}_-]{0,63}$/u;

/** The name of a file for an id of any origin: the id itself if it is a plain name, else its hash. An imported log has made-up ids. */
export function fileNameOf(id: string): string {
  return PLAIN.test(id) ? id : createHash('sha256').update(id).digest('hex');
}
