import { MASK, redactSecrets, secretValues } from '../utils/redact.js';
import { createValueMask } from './maskValues.js';

/** Everything about a machine that must not be in a recording. */
export interface MaskedPlace {
  /** The working folder, absolute; shown as `<folder>`. */
  readonly folder?: string | undefined;
  /** The home folder, absolute; shown as `~`. */
  readonly home?: string | undefined;
  /** The values of its secret-named variables are masked. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Names that routing needs: no value of a variable is masked that is one of them. */
  readonly names?: readonly string[] | undefined;
}

/** Texts in, the same texts without secrets and folders out. What was masked stays as it is. */
export type Mask = (text: string) => string;

/** Makes the mask for all texts of one machine. */
export function createMask({ folder, home, env = {}, names = [] }: MaskedPlace): Mask {
  const maskValues = createValueMask(secretValues(env), names);
  const folders = [createFolderMask(folder, '<folder>'), createFolderMask(home, '~')];
  return (text) => {
    let masked = maskEncoded(redactSecrets(maskValues(text)));
    for (const maskFolder of folders) masked = maskFolder(masked);
    return masked;
  };
}

const BASE64_RUN = /(?<![\w+/-])(?:[A-Za-z0-9+/]{24,8192}|[\w-]{24,8192})={0,2}(?![\w+/=-])/gu;
const PERCENT_RUN = /(?:[\w.~-]|%[0-9A-Fa-f]{2}){12,8192}/gu;
const READABLE = /^[\t\r\n\x20-\x7e]+$/u;

/** Masks secrets that stand there in Base64 or with the signs of an address. */
function maskEncoded(text: string): string {
  const masked = text.replace(BASE64_RUN, (run) => {
    const decoded = Buffer.from(run, 'base64').toString('latin1');
    return READABLE.test(decoded) && redactSecrets(decoded) !== decoded ? MASK : run;
  });
  if (!masked.includes('%')) return masked;
  return masked.replace(PERCENT_RUN, (run) => {
    const decoded = decodePercent(run);
    const redacted = decoded === undefined ? undefined : redactSecrets(decoded);
    return redacted === undefined || redacted === decoded ? run : encodeURIComponent(redacted);
  });
}

/** Undefined for a run without such signs, or that is not UTF-8. */
function decodePercent(run: string): string | undefined {
  if (!run.includes('%')) return undefined;
  try {
    return decodeURIComponent(run);
  } catch {
    // Bytes that are no text hold no token.
    return undefined;
  }
}

/** A folder of one name, as `/work`, may also be the end of another path; a longer one is masked wherever it stands. */
function createFolderMask(folder: string | undefined, shown: string): Mask {
  const path = folder?.replace(/\/+$/u, '') ?? '';
  if (!path.startsWith('/')) return (text) => text;
  const before = path.lastIndexOf('/') === 0 ? '(?<![\\p{L}\\p{N}_.~-])' : '';
  const forms = [...new Set([path, encodeURI(path)])].map(escapePattern).join('|');
  const pattern = new RegExp(`${before}(?:${forms})(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}_])`, 'gu');
  return (text) => text.replace(pattern, shown);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}
