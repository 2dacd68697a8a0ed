import type { MarkdownLink } from './MarkdownBlock.js';
import { plainTextOf } from './plainTextOf.js';

/** The target of a link that its text does not show; empty if the text is the target. */
export function hiddenTarget({ url, children }: MarkdownLink): string {
  const text = plainTextOf(children);
  return [url, decode(url), url.replace(/^mailto:/iu, '')].includes(text) ? '' : url;
}

/** As it is read in the line of addresses; names of hosts stay as they are. */
function decode(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    // A `%` that encodes nothing: the text can only be the target itself.
    return url;
  }
}
