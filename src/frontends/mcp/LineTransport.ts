import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { defer } from '../../utils/defer.js';
import { JsonRpcLines, type MessageRole, roleInJsonRpc } from '../../utils/JsonRpcLines.js';

/** Six times the longest message that a tool takes: JSON may write six characters for one. */
const MAX_LINE_BYTES = 2 * 1024 * 1024;

/** The two ends of a connection. */
export interface McpPipes {
  readonly input: Readable;
  readonly output: Writable;
}

/** The transport of the SDK over pipes, under our own rules for input; no more is read than the client reads of the answers. */
export class LineTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #pipes: McpPipes;
  readonly #lines: JsonRpcLines<JSONRPCMessage>;
  readonly #ended = defer<void>();
  #isClosed = false;

  constructor(pipes: McpPipes) {
    this.#pipes = pipes;
    this.#lines = new JsonRpcLines(pipes.input, (text) => this.#write(text), {
      maxLineBytes: MAX_LINE_BYTES,
      roleOf,
      parseError: 'Parse error: one JSON message a line',
    });
  }

  /** Resolves when nothing more will come, or be sent. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    this.#read()
      .catch((error: Error) => {
        // Closing ends the reading, which is no error then.
        if (!this.#isClosed) this.onerror?.(error);
      })
      .finally(() => this.close());
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#lines.send(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#pipes.input.destroy();
    this.#ended.resolve();
    this.onclose?.();
  }

  async #read(): Promise<void> {
    for await (const message of this.#lines.messages()) {
      if (this.#isClosed) return;
      this.onmessage?.(message);
      await this.#room();
    }
  }

  async #write(text: string): Promise<void> {
    if (this.#isClosed || !this.#pipes.output.writable) return;
    this.#pipes.output.write(text);
    await this.#room();
  }

  async #room(): Promise<void> {
    const { output } = this.#pipes;
    // Whoever owns the pipe hears of its errors, and ends the server.
    if (output.writableNeedDrain)
      await Promise.race([once(output, 'drain'), this.ended]).catch(() => undefined);
  }
}

/** A message is what the SDK takes for one. */
function roleOf(record: unknown): MessageRole | undefined {
  try {
    return roleInJsonRpc(parseJSONRPCMessage(record));
  } catch {
    return undefined;
  }
}
