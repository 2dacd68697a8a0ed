import { fileURLToPath } from 'node:url';

/** A server that is started and ended by the process that has this; `scripts/postgres.mjs` says more. */
export interface KeptPostgres {
  /** Its socket is in it. */
  readonly folder: string;
  stop(): Promise<unknown>;
  start(): Promise<unknown>;
  end(): Promise<void>;
}

interface Scripts {
  findPostgres(): { readonly bin: string } | { readonly missing: string };
  findDebianPostgres(version: number): string | undefined;
  keepPostgres(bin: string, options?: { readonly port?: number }): Promise<KeptPostgres>;
}

const file = fileURLToPath(new URL('../../scripts/postgres.mjs', import.meta.url));
const scripts: Scripts = await import(file);
export const { keepPostgres } = scripts;

/** The server of the npm package, else what is installed; and Debian's, of the oldest version that Huddle works with. */
export type Edition = 'newest' | 'debian';

export const DEBIAN_VERSION = 15;

export type Found = { readonly bin: string } | { readonly missing: string };

export function findEdition(edition: Edition): Found {
  if (edition === 'newest') return scripts.findPostgres();
  const bin = scripts.findDebianPostgres(DEBIAN_VERSION);
  return bin === undefined ? { missing: `postgresql-${DEBIAN_VERSION} is not installed` } : { bin };
}
