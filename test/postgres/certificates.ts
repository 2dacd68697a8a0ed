import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate and its key, as files and as what is in them. */
export interface Certificate {
  readonly file: string;
  readonly keyFile: string;
  readonly pem: string;
  readonly keyPem: string;
}

interface Subject {
  /** Names for whom it is, as OpenSSL writes them: `DNS:localhost`, `IP:127.0.0.1`. */
  readonly names?: readonly string[];
  /** Days from now on; it has expired if they are negative. */
  readonly days?: number;
}

/** Whether there is an OpenSSL to make certificates with. */
export function hasOpenssl(): boolean {
  return spawnSync('openssl', ['version']).status === 0;
}

/** An authority of a test: signs certificates into a folder. */
export class CertificateAuthority {
  readonly #folder: string;
  readonly certificate: Certificate;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    const [file, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
    const own = ['-addext', 'keyUsage=critical,keyCertSign', '-days', '2', '-out', file];
    openssl('req', '-x509', ...newKey(keyFile), '-subj', `/CN=${name}`, ...own);
    this.certificate = read(file, keyFile);
  }

  /** @param name Its common name, which is the role in that of a client. */
  sign(name: string, { names = [], days = 2 }: Subject = {}): Certificate {
    const path = join(this.#folder, `${name}-${names.length}${days}`);
    const [request, extensions, file, keyFile] = ['csr', 'ext', 'crt', 'key'].map((end) => `${path}.${end}`);
    openssl('req', '-new', ...newKey(`${keyFile}`), '-subj', `/CN=${name}`, '-out', `${request}`);
    writeFileSync(`${extensions}`, names.length === 0 ? '' : `subjectAltName=${names.join(',')}\n`);
    const { file: ca, keyFile: caKey } = this.certificate;
    const signed = ['-req', '-in', `${request}`, '-CA', ca, '-CAkey', caKey, '-set_serial', '7'];
    openssl('x509', ...signed, '-days', `${days}`, '-extfile', `${extensions}`, '-out', `${file}`);
    return read(`${file}`, `${keyFile}`);
  }
}

function newKey(file: string): readonly string[] {
  return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', file];
}

function openssl(...args: readonly string[]): void {
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

function read(file: string, keyFile: string): Certificate {
  return { file, keyFile, pem: readFileSync(file, 'utf8'), keyPem: readFileSync(keyFile, 'utf8') };
}
