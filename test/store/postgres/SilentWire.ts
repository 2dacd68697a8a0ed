import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SOCKET = '.s.PGSQL.5432';

/** A wire to a server that can fall silent, break, or lose what the server answers. */
export class SilentWire {
  readonly #folder = mkdtempSync(join(tmpdir(), 'huddle-wire-'));
  readonly #server: Server;
  readonly #url: URL;
  readonly #pairs = new Set<readonly [near: Socket, far: Socket]>();
  #isSilent = false;
  #isMute = false;
  #answersToLose = 0;

  private constructor(url: string) {
    this.#url = new URL(url);
    const far = join(decodeURIComponent(this.#url.hostname), SOCKET);
    this.#server = createServer((near) => this.#join(near, createConnection(far)));
  }

  /** @param url Of a server on a Unix socket. */
  static async to(url: string): Promise<SilentWire> {
    const wire = new SilentWire(url);
    wire.#server.listen(join(wire.#folder, SOCKET));
    await once(wire.#server, 'listening');
    return wire;
  }

  /** The same with its near end at a port of this machine: an address that is as long everywhere. */
  static async overTcp(url: string): Promise<SilentWire> {
    const wire = new SilentWire(url);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  /** The same database, through this wire. */
  get url(): string {
    const address = this.#server.address() as AddressInfo | string;
    const place =
      typeof address === 'string' ? encodeURIComponent(this.#folder) : `127.0.0.1:${address.port}`;
    return this.#url.href.replace(this.#url.hostname, place);
  }

  /** Nothing arrives any more, in both directions, until it speaks again. */
  fallSilent(): void {
    this.#isSilent = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** What the server says does not arrive any more, until it speaks again; it still hears everything. */
  swallowAnswers(): void {
    this.#isMute = true;
    for (const [, far] of this.#pairs) far.pause();
  }

  /** New connections are not silent. */
  letOthersPass(): void {
    this.#isSilent = false;
  }

  speakAgain(): void {
    this.#isSilent = false;
    this.#isMute = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  /** So many answers reach the server's end of the wire and no further: their connections break. */
  loseAnswers(count: number): void {
    this.#answersToLose = count;
  }

  breakAll(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  async close(): Promise<void> {
    this.breakAll();
    this.#server.close();
    await once(this.#server, 'close');
    rmSync(this.#folder, { recursive: true });
  }

  #join(near: Socket, far: Socket): void {
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      for (const socket of pair) socket.destroy();
    };
    for (const socket of pair) socket.on('error', end).on('close', end);
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => {
      if (this.#answersToLose === 0 || !isOfBatch(data)) near.write(data);
      else {
        this.#answersToLose--;
        end();
      }
    });
    if (this.#isSilent) for (const socket of pair) socket.pause();
    if (this.#isMute) far.pause();
  }
}

/** Whether an answer is that to an append: its only column has the name of the function. */
function isOfBatch(data: Buffer): boolean {
  return data.includes('append\0');
}
