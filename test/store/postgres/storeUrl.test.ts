import { describe, expect, test } from 'vitest';
import { parseStoreUrl } from '../../../src/store/postgres/storeUrl.js';
import { makeTemporaryFolder } from '../../config/temporaryFolder.js';
import { CertificateAuthority, hasOpenssl } from '../../postgres/certificates.js';

describe('the URL of a shared store', () => {
  test.each([
    ['postgres://kim@db.example.org/huddle?sslmode=verify-full', 'tls', 'db.example.org/huddle', 5432],
    ['postgresql://kim@10.0.0.7:6432/huddle?sslmode=verify-full', 'tls', '10.0.0.7/huddle', 6432],
    ['postgres://kim@127.0.0.1/huddle', 'loopback', '127.0.0.1/huddle', 5432],
    ['postgres://kim@127.3.2.1/huddle?sslmode=disable', 'loopback', '127.3.2.1/huddle', 5432],
    ['postgres://kim@[::1]:5433/huddle', 'loopback', '::1/huddle', 5433],
    ['postgres://kim@localhost/huddle', 'loopback', 'localhost/huddle', 5432],
    ['postgres://kim@localhost/huddle?sslmode=verify-full', 'tls', 'localhost/huddle', 5432],
    ['postgres://kim@/huddle?host=/run/pg', 'socket', '/run/pg/huddle', 5432],
    ['postgres://kim@%2Frun%2Fpg/huddle', 'socket', '/run/pg/huddle', 5432],
    ['postgres://kim@:54329/huddle?host=/run/pg', 'socket', '/run/pg/huddle', 54_329],
    ['postgres://kim@/huddle?host=/run/pg&port=54329', 'socket', '/run/pg/huddle', 54_329],
    ['postgres://kim@:54329/huddle', 'socket', '/var/run/postgresql/huddle', 54_329],
    ['postgres://kim@localhost:54329/huddle?host=/run/pg', 'socket', '/run/pg/huddle', 54_329],
    ['postgres://kim@localhost/huddle?port=54329', 'loopback', 'localhost/huddle', 54_329],
    ['postgres://kim@/huddle', 'socket', '/var/run/postgresql/huddle', 5432],
  ])('%s is safe by %s', (url, way, name, port) => {
    const { config, ...address } = parseStoreUrl(url);
    expect(address).toEqual({ way, name });
    expect(config).toMatchObject({ user: 'kim', database: 'huddle', port, client_encoding: 'UTF8' });
    expect(config.ssl).toEqual(way === 'tls' ? expect.objectContaining({ rejectUnauthorized: true }) : false);
  });

  test.each([
    ['postgres://kim@db.example.org/huddle', { unsafeHost: 'db.example.org' }],
    ['postgres://kim@db.example.org/huddle?sslmode=require', { unsafeHost: 'db.example.org' }],
    ['postgres://kim@db.example.org/huddle?sslmode=verify-ca', { unsafeHost: 'db.example.org' }],
    ['postgres://kim@db.example.org/huddle?sslmode=no-verify', { unsafeHost: 'db.example.org' }],
    ['postgres://kim@localhost.example.org/huddle', { unsafeHost: 'localhost.example.org' }],
    ['postgres://kim@127.0.0.1.example.org/huddle', { unsafeHost: '127.0.0.1.example.org' }],
    ['postgres://kim@127.0.0.1/huddle?host=db.example.org', { unsafeHost: 'db.example.org' }],
    ['postgres://kim@localhost/huddle?sslmode=prefer', { unsafeHost: 'localhost' }],
    ['postgres://kim:secret@localhost/huddle', 'password'],
    ['postgres://kim:@localhost/huddle?password=secret', 'password'],
    ['postgres://kim@localhost/huddle?PASSWORD=secret', 'password'],
    ['postgres://kim@localhost/huddle?sslpassword=secret', 'password'],
    ['postgres://kim@localhost/huddle?options=-c%20role%3Dbob', { setting: 'options' }],
    ['postgres://kim@localhost/huddle?sslmode=disable&sslmode=verify-full', { twice: 'sslmode' }],
    ['postgres://kim@:5433/huddle?host=/run/pg&port=5434', { twice: 'port' }],
    ['postgres://kim@:5433/huddle?host=db.example.org', { unsafeHost: 'db.example.org' }],
    ['postgres://kim@localhost/huddle?port=0', { port: '0' }],
    ['postgres://kim@localhost/huddle?port=65536', { port: '65536' }],
    ['postgres://kim@localhost/huddle?port=5433,5434', { port: '5433,5434' }],
    ['postgres://kim@:secret@localhost/huddle', 'password'],
    ['postgres://kim@localhost/huddle?ssl=0', { setting: 'ssl' }],
    ['postgres://kim@%E0%A4%A/huddle', 'no-url'],
    ['https://kim@localhost/huddle', 'no-url'],
    ['work', 'no-url'],
    ['', 'no-url'],
    [
      'postgres://kim@db.example.org/huddle?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
      { file: '/nowhere/ca.pem' },
    ],
  ])('%s is refused', (url, fault) => {
    expect(() => parseStoreUrl(url)).toThrow(
      expect.objectContaining({ code: 'STORE_URL', facts: { fault } }),
    );
  });

  test('says nothing of a password that is in it', () => {
    const reading = () => parseStoreUrl('postgres://kim:s3cret@localhost/huddle');
    expect(reading).toThrow('it contains a password');
    expect(reading).not.toThrow('s3cret');
  });

  test.skipIf(!hasOpenssl())('names certificates, and a client certificate only with its key', () => {
    const authority = new CertificateAuthority(makeTemporaryFolder(), 'authority');
    const kim = authority.sign('kim');
    const url = new URL('postgres://kim@db.example.org/huddle?sslmode=verify-full');
    url.searchParams.set('sslrootcert', authority.certificate.file);
    url.searchParams.set('sslkey', kim.keyFile);
    const verified = { rejectUnauthorized: true, ca: authority.certificate.pem };
    expect(parseStoreUrl(url.href).config.ssl).toEqual(verified);
    url.searchParams.set('sslcert', kim.file);
    expect(parseStoreUrl(url.href).config.ssl).toEqual({ ...verified, cert: kim.pem, key: kim.keyPem });
    url.searchParams.delete('sslkey');
    expect(() => parseStoreUrl(url.href)).toThrow(expect.objectContaining({ facts: { fault: 'no-key' } }));
  });
});
