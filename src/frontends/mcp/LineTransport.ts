import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { defer } from '../../utils/defer.js';
import { JsonLines } from '../../utils/jsonLines.js';

/** Six times the longest message that a tool takes: JSON may write six characters for one. */
const MAX_LINE_BYTES = 2 * 1024 * 1024;

/** The two ends of a connection. */
export interface McpPipes {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * A transport of messages over pipes, a line each, under our own rules: what is no message is answered with an error and
 * passed over, a line of any length takes bounded memory, and no more is read than the client reads of the answers.
 */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #pipes: McpPipes;
  readonly #lines = new JsonLines({ maxLineBytes: MAX_LINE_BYTES });
  readonly #ended = defer<void>();
  #isClosed = false;

  constructor(pipes: McpPipes) {
    this.#pipes = pipes;
  }

  /** Resolves when nothing more will come, or be sent. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    this.#read().then(
      () => this.close(),
      (error: Error) => {
        // Closing ends the reading, which is no error then.
        if (!this.#isClosed) this.onerror?.(error);
        return this.close();
      },
    );
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pipes.input.destroy();
    this.#ended.resolve();
    this.onclose?.();
  }

  async #read(): Promise<void> {
    for await (const chunk of this.#pipes.input) await this.#take(() => this.#lines.push(chunk));
    await this.#take(() => this.#lines.end());
  }

  async #take(read: () => unknown[]): Promise<void> {
    const { badLines, skippedLines } = this.#lines;
    const records = read();
    const unreadable = this.#lines.badLines - badLines + (this.#lines.skippedLines - skippedLines);
    for (let count = 0; count < unreadable; count++)
      await this.#refuse(null, ProtocolErrorCode.ParseError, 'Parse error: one JSON message a line');
    for (const record of records) await this.#deliver(record);
  }

  async #deliver(record: unknown): Promise<void> {
    if (this.#isClosed) return;
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(record);
    } catch {
      return this.#refuse(idOf(record), ProtocolErrorCode.InvalidRequest, 'Invalid request');
    }
    this.onmessage?.(message);
    // A client that asks and does not listen is not listened to.
    await this.#room();
  }

  #refuse(id: string | number | null, code: number, message: string): Promise<void> {
    return this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  async #write(message: object): Promise<void> {
    if (this.#isClosed || !this.#pipes.output.writable) return;
    this.#pipes.output.write(`${JSON.stringify(message)}\n`);
    await this.#room();
  }

  async #room(): Promise<void> {
    const { output } = this.#pipes;
    // Whoever owns the pipe hears of its errors, and ends the server.
    if (output.writableNeedDrain)
      await Promise.race([once(output, 'drain'), this.ended]).catch(() => undefined);
  }
}

/** The id of what is no message, if it has one that an answer can name. */
function idOf(record: unknown): string | number | null {
  const { id } = (typeof record === 'object' && record !== null ? record : {}) as { readonly id?: unknown };
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : null;
}
