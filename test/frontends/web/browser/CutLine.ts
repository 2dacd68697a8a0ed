import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { WebServer } from './WebServer.js';

/** A line between the browser and the server that can be cut: another port, as with `ssh -L`. */
export class CutLine {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((near) => this.#join(near));
  readonly #port: number;

  private constructor(port: number) {
    this.#port = port;
  }

  static async to(server: WebServer): Promise<CutLine> {
    const line = new CutLine(Number(new URL(server.origin).port));
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    onTestFinished(() => {
      line.cut();
      line.#server.close();
    });
    return line;
  }

  /** An address of the server by way of this line. */
  through(address: string): string {
    const url = new URL(address);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** Breaks every connection; new ones are let through. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(near: Socket): void {
    const far = connect(this.#port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.pipe(other);
      // The other end is told by the end of its own connection.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}
