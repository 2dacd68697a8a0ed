import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { HuddleError } from '../../models/errors.js';

/** A file of the page, as it is sent. */
export interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** The same compressed at build, the smallest first. */
  readonly packed: readonly PackedAsset[];
  /** Its name changes with its content, so that it may be kept. */
  readonly isHashed: boolean;
}

interface PackedAsset {
  readonly encoding: 'br' | 'gzip';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The page: a table of files that was read at the start. A path that is asked for is looked up here and nowhere else. */
export interface Assets {
  find(path: string): Asset | undefined;
}

/** Types by extension; a file of any other is none of the page's. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Addresses of the page itself: home, a conversation, and what is open beside it. */
const PAGE_ADDRESS = /^\/(?:c(?:\/[^/]+){1,4}\/?)?$/u;
const PACKED = [
  { encoding: 'br', extension: '.br' },
  { encoding: 'gzip', extension: '.gz' },
] as const;
const HASHED = /^\/assets\//u;

/** Reads the built page. */
export function readAssets(folder: string): Assets {
  const table = new Map(listFiles(folder).map((file) => [file, readAsset(folder, file)] as const));
  const page = table.get('/index.html');
  if (page === undefined) throw new HuddleError('PAGE_MISSING', { folder });
  return { find: (path) => table.get(path) ?? (PAGE_ADDRESS.test(path) ? page : undefined) };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => Object.hasOwn(TYPES, extname(name)))
      .map((name) => `/${name.split(sep).join('/')}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readAsset(folder: string, file: string): Asset {
  const type = TYPES[extname(file)] ?? '';
  const path = join(folder, file);
  const packed = PACKED.flatMap(({ encoding, extension }) =>
    existsSync(path + extension) ? [{ encoding, bytes: readBytes(path + extension) }] : [],
  );
  return { bytes: readBytes(path), type, packed, isHashed: HASHED.test(file) };
}

function readBytes(path: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(path));
}
