import type { RefusalCode } from './refusals.js';

/** The largest body of a request. */
export const MOST_BODY_BYTES = 16 * 1024 * 1024;

/** The head of a request, as it came in. */
export interface RequestHead {
  readonly method?: string | undefined;
  /** The target of the request line. */
  readonly url?: string | undefined;
  /** Every value of each, by names in small letters. */
  readonly headersDistinct: Readonly<Record<string, readonly string[] | undefined>>;
}

/** Loopback by its own names, with any port: a tunnel has another one than we have. */
const OWN_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/u;
const JSON_TYPE = /^application\/json *(?:; *charset=utf-8 *)?$/u;
/** Headers that decide, in the order in which they are looked at. */
const DECISIVE = ['host', 'origin', 'sec-fetch-site', 'content-type', 'content-length'];
const LOOKING = ['GET', 'HEAD'];
const API_METHODS = ['GET', 'POST', 'DELETE'];

/**
 * Checks where a request comes from and what it may do at all, before its body is read. Browsers can be made to send requests
 * by any page; the headers that say so cannot be set by a page.
 */
export function checkRequest({ method = '', url = '', headersDistinct }: RequestHead): RefusalCode | null {
  // Said twice, it is not for us to choose the one that holds.
  if (DECISIVE.some((name) => (headersDistinct[name]?.length ?? 0) > 1)) return 'INVALID_REQUEST';
  const [host = '', origin, site, type = '', length = '0'] = DECISIVE.map((name) =>
    headersDistinct[name]?.[0]?.toLowerCase(),
  );
  if (!OWN_HOST.test(host)) return 'WRONG_HOST';
  if (origin !== undefined && origin !== `http://${host}`) return 'WRONG_ORIGIN';
  const isApi = isApiPath(url);
  if (!isOwnSite(site, !isApi && LOOKING.includes(method))) return 'CROSS_SITE';
  if (!isPlainTarget(url)) return 'INVALID_REQUEST';
  if (!(isApi ? API_METHODS : LOOKING).includes(method)) return 'METHOD_NOT_ALLOWED';
  if (!LOOKING.includes(method) && !JSON_TYPE.test(type)) return 'NOT_JSON';
  return Number(length) > MOST_BODY_BYTES ? 'BODY_TOO_LARGE' : null;
}

/** Whether the target of a request is of the API: everything else is the page. */
function isApiPath(url: string): boolean {
  return /^\/api(?:[/?#]|$)/u.test(url);
}

/** Whether the router will read the same path as we do: no detour, nothing to be spelled otherwise, no other host. */
function isPlainTarget(url: string): boolean {
  const whole = `http://127.0.0.1${url}`;
  return url.startsWith('/') && URL.canParse(whole) && new URL(whole).pathname === url.split('?')[0];
}

/** A person who types an address comes from no site, and so only to the page. */
function isOwnSite(site: string | undefined, isPage: boolean): boolean {
  return site === undefined || site === 'same-origin' || (isPage && site === 'none');
}
