import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { closingFence, nextFence } from '../../markdown/fences.js';

/** A file whose contents came with a prompt. */
export interface SentContent {
  /** Its path or address, as `readUri` has it. */
  readonly place: string;
  readonly text: string;
}

/** A place as agents can open it: the path of a file, relative where it is in the folder, or the address as it is. */
export function readUri(uri: string, folder: string): string {
  const path = pathOf(uri);
  if (path === undefined) return uri;
  const inside = relative(folder, path.file);
  const isInside = inside !== '..' && !inside.startsWith('../') && !isAbsolute(inside);
  return `${isInside ? inside || '.' : path.file}${path.lines}`;
}

function pathOf(uri: string): { readonly file: string; readonly lines: string } | undefined {
  if (isAbsolute(uri)) return { file: uri, lines: '' };
  try {
    const url = new URL(uri);
    const lines = decodeURIComponent(url.hash);
    url.hash = '';
    return { file: fileURLToPath(url), lines };
  } catch {
    // No address, or not one of a file here: it is shown as it is.
    return undefined;
  }
}

/** A name that someone else chose, as code in a line: markers in it do nothing. */
export function quoteInline(name: string): string {
  const line = /\p{Cc}|[\u2028\u2029]/u.test(name) ? JSON.stringify(name) : name;
  const marks = '`'.repeat(longestRun(line) + 1);
  const room = marks.length > 1 ? ' ' : '';
  return `${marks}${room}${line}${room}${marks}`;
}

/** A message with the contents of a file below it, as code: markers in it do nothing. */
export function addContent(message: string, { place, text }: SentContent): string {
  const open = message.split('\n').reduce(nextFence, null as string | null);
  const above = open === null ? message : `${message}\n${closingFence(open)}`;
  return `${above}\n\n${quoteInline(place)}:\n\n${fenceCode(text.replace(/\n$/u, ''))}`;
}

/** Text as a block of code, whatever is in it. */
export function fenceCode(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/gu) ?? []).map((run) => run.length));
}
