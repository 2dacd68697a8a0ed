import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { ClientConfig } from 'pg';
import { StoreUrlError } from '../storeErrors.js';

/** Settings of a URL that are understood; any other could mean something that is then not done. */
const KNOWN: ReadonlySet<string> = new Set(['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey']);
const NO_HOST = 'no-host.invalid';
const DEFAULT_SOCKET = '/var/run/postgresql';
const DEFAULT_PORT = 5432;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** The way to a database: nobody on it can read or change what is sent. */
export type SafeWay = 'tls' | 'socket' | 'loopback';

/** A database, and how to connect to it. */
export interface StoreAddress {
  readonly way: SafeWay;
  /** Host and database, for people; no login. */
  readonly name: string;
  readonly config: ClientConfig;
}

/**
 * Reads the URL of a shared store. Everything that decides where and how to connect is taken from it, so that no
 * variable of the environment changes that; only a password comes from elsewhere.
 *
 * @throws StoreUrlError for what is not safe or not understood.
 */
export function parseStoreUrl(url: string): StoreAddress {
  const parsed = readUrl(url);
  const settings = parsed.searchParams;
  for (const key of settings.keys()) {
    if (/pass/i.test(key)) throw new StoreUrlError('password');
    if (!KNOWN.has(key)) throw new StoreUrlError({ setting: key });
    // One that is given twice would be read as either.
    if (settings.getAll(key).length > 1) throw new StoreUrlError({ twice: key });
  }
  if (parsed.password !== '') throw new StoreUrlError('password');
  const named = parsed.hostname === NO_HOST ? '' : decode(parsed.hostname).replace(/^\[(.*)\]$/, '$1');
  const host = settings.get('host') || named || DEFAULT_SOCKET;
  const user = decode(parsed.username) || userInfo().username;
  const database = decode(parsed.pathname.slice(1)) || user;
  const way = chooseWay(host, settings.get('sslmode'));
  return {
    way,
    name: `${host}/${database}`,
    config: {
      host,
      port: choosePort(parsed.port, settings.get('port')),
      user,
      database,
      ssl: way === 'tls' && readCertificates(settings),
      application_name: 'huddle',
      client_encoding: 'UTF8',
    },
  };
}

function readUrl(url: string): URL {
  let parsed: URL;
  try {
    // With a Unix socket there is a login and no host, which is no URL to Node; a port may follow all the same.
    parsed = new URL(url.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=[:/?#]|$)/, `$1${NO_HOST}`));
  } catch (error) {
    throw new StoreUrlError('no-url', { cause: error });
  }
  if (!/^postgres(?:ql)?:$/.test(parsed.protocol)) throw new StoreUrlError('no-url');
  return parsed;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new StoreUrlError('no-url', { cause: error });
  }
}

function choosePort(ofHost: string, setting: string | null): number {
  if (ofHost !== '' && setting !== null) throw new StoreUrlError({ twice: 'port' });
  const port = setting ?? (ofHost || DEFAULT_PORT);
  if (!/^\d{1,5}$/.test(String(port)) || Number(port) < 1 || Number(port) > 65_535)
    throw new StoreUrlError({ port: String(port) });
  return Number(port);
}

function chooseWay(host: string, mode: string | null): SafeWay {
  if (host.startsWith('/')) return 'socket';
  if (mode === 'verify-full') return 'tls';
  if (LOOPBACK.test(host) && (mode === null || mode === 'disable')) return 'loopback';
  throw new StoreUrlError({ unsafeHost: host });
}

/** Certificates from the files that the URL names, else from where PostgreSQL's own programs look for them. */
function readCertificates(settings: URLSearchParams): NonNullable<ClientConfig['ssl']> {
  const [ca, cert, key] = [
    readCertificate(settings.get('sslrootcert'), 'root.crt'),
    readCertificate(settings.get('sslcert'), 'postgresql.crt'),
    readCertificate(settings.get('sslkey'), 'postgresql.key'),
  ];
  if (settings.has('sslcert') && key === undefined) throw new StoreUrlError('no-key');
  const own = cert !== undefined && key !== undefined ? { cert, key } : undefined;
  // Node passes over an authority that it cannot read, and then trusts none.
  if (ca !== undefined) tryCertificate('sslrootcert', () => new X509Certificate(ca));
  if (own !== undefined) tryCertificate('sslcert', () => createSecureContext(own));
  return { rejectUnauthorized: true, ca, ...own };
}

function tryCertificate(unusable: 'sslcert' | 'sslrootcert', use: () => unknown): void {
  try {
    use();
  } catch (error) {
    const { reason, message } = error as Error & { readonly reason?: string };
    throw new StoreUrlError({ unusable, reason: reason ?? message }, { cause: error });
  }
}

function readCertificate(named: string | null, usual: string): string | undefined {
  const file = named ?? join(homedir(), '.postgresql', usual);
  if (named === null && !existsSync(file)) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StoreUrlError({ file }, { cause: error });
  }
}
