import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import type { Certificate } from './certificates.js';

/** A server on this machine that begins TLS as Postgres does, and writes down what it is then told. Ends with the test. */
export class TlsImpostor {
  readonly #server: Server;
  readonly #certificate: Certificate;
  #heard = '';
  #connections = 0;

  private constructor(certificate: Certificate) {
    this.#certificate = certificate;
    this.#server = createServer((socket) => this.#meet(socket));
  }

  static async listen(certificate: Certificate): Promise<TlsImpostor> {
    const impostor = new TlsImpostor(certificate);
    impostor.#server.listen(0, '127.0.0.1');
    await once(impostor.#server, 'listening');
    onTestFinished(() => void impostor.#server.close());
    return impostor;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#connections;
  }

  /** Everything that was said to it under TLS. */
  get heard(): string {
    return this.#heard;
  }

  #meet(socket: Socket): void {
    this.#connections++;
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      const { pem: cert, keyPem: key } = this.#certificate;
      const secure = new TLSSocket(socket, { isServer: true, cert, key });
      secure.on('error', () => undefined);
      secure.on('data', (data) => {
        this.#heard += data.toString('latin1');
        secure.destroy();
      });
    });
  }
}
