import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Certificate, CertificateAuthority, hasOpenssl } from '../postgres/certificates.js';
import { describePostgres } from '../postgres/describePostgres.js';
import type { TestPostgres } from '../postgres/TestPostgres.js';
import { TlsImpostor } from '../postgres/TlsImpostor.js';
import { createMachine, type Machine } from './runHuddle.js';
import { createStore, succeed } from './sharedStore.js';

const HERE = { names: ['IP:127.0.0.1', 'DNS:localhost'] };
const VERIFIED = { sslmode: 'verify-full' };
/** Kim by certificate alone; everyone else by none. */
const WHO_MAY_LOG_IN = `local all all trust
hostssl all kim 127.0.0.1/32 cert
host all bob 127.0.0.1/32 trust`;

const isMissing = !hasOpenssl();
if (isMissing) console.warn('Skipped: TLS to a shared store: there is no openssl to make certificates with.');

interface Checking {
  readonly machine?: Machine;
  readonly env?: Readonly<Record<string, string>>;
}

/** `huddle store check` of an address. */
async function check(url: string, { machine = createMachine(), env = {} }: Checking = {}) {
  const file = join(machine.folder, '.config', 'huddle', 'stores.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ version: 1, stores: { work: url } }), { mode: 0o600 });
  const { code, stdout, stderr } = await machine.run(['store', 'check', 'work'], { env, spawned: true });
  const scrub = (text: string) => text.replaceAll(/test_\w+/gu, 'DATABASE');
  return { code, stdout: scrub(stdout), stderr: scrub(stderr) };
}

function failing(code: number, stderr: string) {
  return { code, stdout: '', stderr: `error[${stderr}\n` };
}

/** Nothing is told to a server that cannot be trusted. */
function distrusting(reason: string, host = '127.0.0.1') {
  const server = `The server of the shared store ${host}/DATABASE cannot be trusted`;
  return failing(74, `STORE_OUT_OF_REACH]: ${server}: ${reason}`);
}

function unknownAuthority(reason = 'self-signed certificate in certificate chain'): string {
  const advice = 'Put sslrootcert=FILE into the address, with the file of the authority that has.';
  return `no authority you trust has signed its certificate (${reason}). Nothing was sent. ${advice}`;
}

describe.skipIf(isMissing)('TLS to a shared store', () => {
  let folder = '';
  let ours: CertificateAuthority;
  let others: CertificateAuthority;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'huddle-certificates-'));
    ours = new CertificateAuthority(folder, 'ours');
    others = new CertificateAuthority(folder, 'others');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const trusting = ({ certificate }: CertificateAuthority) => ({
    ...VERIFIED,
    sslrootcert: certificate.file,
  });
  const loggingIn = ({ file, keyFile }: Certificate) => ({ sslcert: file, sslkey: keyFile });

  describePostgres(
    'at a port of this machine',
    (server) => {
      beforeAll(async () => {
        await server().admin("ALTER SYSTEM SET ssl_ca_file = 'authority.crt'");
        await server().writeFile('authority.crt', ours.certificate.pem);
        await server().writeFile('pg_hba.conf', WHO_MAY_LOG_IN);
      });

      test('is verified by the authority that the address or the home of the user names; the loopback is no exception', async () => {
        await invite(server(), 'bob');
        expect(await check(server().urlOverTcp('bob', VERIFIED))).toEqual(
          distrusting('it offers no TLS. Nothing was sent. Ask the owner of the server to turn TLS on.'),
        );
        await serve(server(), ours.sign('server', HERE));
        for (const host of ['127.0.0.1', 'localhost']) {
          const { code, stdout, stderr } = await check(server().urlOverTcp('bob', trusting(ours), host));
          expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
          expect(stdout).toContain(`TLS, certificate verified (${host}/DATABASE)\n`);
          expect(stdout).toContain('you are     bob ');
        }
        // Where PostgreSQL's own programs look.
        const machine = createMachine();
        mkdirSync(join(machine.folder, '.postgresql'));
        copyFileSync(ours.certificate.file, join(machine.folder, '.postgresql', 'root.crt'));
        expect(await check(server().urlOverTcp('bob', VERIFIED), { machine })).toMatchObject({ code: 0 });
        // Without verify-full this machine is what is trusted, and the check says so.
        const { stdout } = await check(server().urlOverTcp('bob'));
        expect(stdout).toContain('this machine, without TLS (127.0.0.1/DATABASE)\n');
      });

      test('refuses an authority that is not trusted, whatever the environment says', async () => {
        await invite(server(), 'bob');
        await serve(server(), ours.sign('server', HERE));
        for (const settings of [VERIFIED, trusting(others)])
          expect(await check(server().urlOverTcp('bob', settings))).toEqual(distrusting(unknownAuthority()));
        const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', PGSSLMODE: 'disable', NODE_NO_WARNINGS: '1' };
        const url = server().urlOverTcp('bob', trusting(others), 'localhost');
        expect(await check(url, { env })).toEqual(distrusting(unknownAuthority(), 'localhost'));
      });

      test('refuses a certificate for another host, and one that has expired', async () => {
        await invite(server(), 'bob');
        await serve(server(), ours.sign('server', { names: ['DNS:db.example.org'] }));
        for (const host of ['127.0.0.1', 'localhost'])
          expect(await check(server().urlOverTcp('bob', trusting(ours), host))).toEqual(
            distrusting(
              'its certificate is for DNS:db.example.org. Nothing was sent. Put a name that is in the certificate into the address.',
              host,
            ),
          );
        await serve(server(), ours.sign('server', { ...HERE, days: -1 }));
        expect(await check(server().urlOverTcp('bob', trusting(ours)))).toEqual(
          distrusting(
            'its certificate has expired. Nothing was sent. Ask the owner of the server to renew it, and check the clock of this machine.',
          ),
        );
      });

      test('logs in by a client certificate, and refuses one of another role or of another authority', async () => {
        await invite(server(), 'kim');
        await serve(server(), ours.sign('server', HERE));
        const kim = ours.sign('kim');
        const checkAs = (client: object) =>
          check(server().urlOverTcp('kim', { ...trusting(ours), ...client }));
        const accepted = await checkAs(loggingIn(kim));
        expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('you are     kim ') });
        const refusing = (reason: string) =>
          failing(
            77,
            `STORE_REFUSED]: The database 127.0.0.1/DATABASE refuses the login kim: ${reason}. Put its password into ~/.pgpass or PGPASSWORD, or use a client certificate.`,
          );
        expect(await checkAs({})).toEqual(refusing('connection requires a valid client certificate'));
        expect(await checkAs(loggingIn(ours.sign('bob')))).toEqual(
          refusing('certificate authentication failed for user "kim"'),
        );
        expect(await checkAs(loggingIn(others.sign('kim')))).toEqual(refusing('tlsv1 alert unknown ca'));
      });
    },
    { tcp: true },
  );

  test('tells a server that cannot be trusted neither role nor database nor password', async () => {
    const impostor = await TlsImpostor.listen(others.sign('server', HERE));
    const url = (authority: CertificateAuthority) =>
      `postgres://kim@127.0.0.1:${impostor.port}/test_db?${new URLSearchParams(trusting(authority))}`;
    const env = { PGPASSWORD: 'hush-hush' };
    expect(await check(url(ours), { env })).toEqual(
      distrusting(unknownAuthority('unable to verify the first certificate')),
    );
    expect(impostor).toMatchObject({ connections: 1, heard: '' });
    // It does hear what it is told.
    expect(await check(url(others), { env })).toMatchObject({ code: 74 });
    expect(impostor.heard).toContain('kim');
  });

  test('says which file of a certificate cannot be used, before anything is sent', async () => {
    const impostor = await TlsImpostor.listen(others.sign('server', HERE));
    const kim = ours.sign('kim');
    const checkWith = (settings: Readonly<Record<string, string>>) =>
      check(`postgres://kim@127.0.0.1:${impostor.port}/test_db?${new URLSearchParams(settings)}`);
    const unusable = (reason: string) =>
      failing(78, `STORE_URL]: Cannot use this URL of a shared store: ${reason}`);
    expect(await checkWith({ ...VERIFIED, sslcert: kim.file })).toEqual(
      unusable('it names a client certificate without its key. Add sslkey=FILE.'),
    );
    const another = { sslcert: kim.file, sslkey: ours.sign('bob').keyFile };
    expect(await checkWith({ ...VERIFIED, ...another })).toEqual(
      unusable(
        'the client certificate and its key cannot be used (key values mismatch). Check the files of sslcert and sslkey.',
      ),
    );
    expect(await checkWith({ ...VERIFIED, sslrootcert: kim.keyFile })).toEqual(
      unusable('the file of sslrootcert holds no certificate (no start line).'),
    );
    expect(impostor.connections).toBe(0);
  });
});

/** A role of a shared store in this database. */
async function invite(server: TestPostgres, role: string): Promise<void> {
  await server.createRole(role);
  await succeed(await createStore(server), 'store', 'invite', 'work', role);
}

/** The server shows this certificate from now on. */
async function serve(server: TestPostgres, { pem, keyPem }: Certificate): Promise<void> {
  await server.writeFile('server.crt', pem);
  await server.writeFile('server.key', keyPem);
  await server.admin('ALTER SYSTEM SET ssl = on');
  await server.restart();
}
