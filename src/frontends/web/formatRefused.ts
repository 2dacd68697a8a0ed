import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { RefusalFacts } from './AppParts.js';

const MOST_LETTERS = 200;
/** Long enough to be a code, a cookie or a key, however it is spelled; ids of sessions are shorter. */
const MAYBE_SECRET = /[\w%-]{20,}/gu;

/** The line of the debug log for a refused request: what it was and why, and nothing that could let anyone in. */
export function formatRefused({ status, code, method, path, host, origin }: RefusalFacts): string {
  const [address = ''] = path.split(/[?#]/u);
  const places = Object.entries({ host, origin }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${hide(value)}`],
  );
  return ['[Web]', status, code, method, hide(address), ...places].filter(Boolean).join(' ');
}

function hide(text: string): string {
  return sanitizeToOneLine(text.replaceAll(MAYBE_SECRET, '…').slice(0, MOST_LETTERS));
}
