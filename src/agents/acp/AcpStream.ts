import type { AnyMessage, Stream } from '@agentclientprotocol/sdk/unstable';
import { JsonLines, type JsonLinesOptions } from '../../utils/jsonLines.js';
import { fieldOf, isRecord, textOf } from '../dialect/records.js';

/** Requests of an agent that are worked on at a time. */
const MAX_OPEN_REQUESTS = 64;

/** The part of a process that this side of the pipes needs. */
export interface MessagePipe {
  readonly stdout: AsyncIterable<Uint8Array>;
  write(text: string): Promise<void>;
}

export interface AcpStreamOptions extends JsonLinesOptions {
  /** A sign of life. */
  onOutput(): void;
  /** Settles when there is room for more messages; nothing is read until then. */
  waitForRoom(): Promise<void>;
  /** The parameters of `session/update`, as they come and before whatever comes after them. */
  onUpdate(params: unknown): void;
}

/**
 * An agent's pipes as the stream of messages that the SDK wants, under our own rules for output: lines of bounded
 * length, what is no message is counted and passed over, and no more is read than is wanted. Two things never reach the
 * SDK, which would print them: a response that was not asked for, and updates, of which it would drop those that its
 * schema does not know.
 */
export class AcpStream implements Stream {
  readonly readable: ReadableStream<AnyMessage>;
  readonly writable: WritableStream<AnyMessage>;
  /** Settles when everything the agent wrote has been passed on. */
  readonly ended: Promise<void>;
  /** The output as lines, with those that were no message. */
  readonly lines: JsonLines;
  readonly #options: AcpStreamOptions;
  /** Our requests that the agent has not answered. */
  readonly #asked = new Set<unknown>();
  /** The number of its requests that we have not answered. */
  #owed = 0;
  #wake: (() => void) | undefined;
  #end: () => void = () => undefined;

  constructor(pipe: MessagePipe, options: AcpStreamOptions) {
    this.#options = options;
    this.lines = new JsonLines(options);
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.readable = ReadableStream.from(this.#readMessages(pipe.stdout));
    this.writable = new WritableStream({
      write: (message) => {
        this.#noteSent(message);
        return pipe.write(`${JSON.stringify(message)}\n`);
      },
    });
  }

  async *#readMessages(stdout: AsyncIterable<Uint8Array>): AsyncGenerator<AnyMessage, void, undefined> {
    try {
      for await (const chunk of stdout) {
        this.#options.onOutput();
        yield* this.#passOn(this.lines.push(chunk));
      }
      yield* this.#passOn(this.lines.end());
    } finally {
      this.#end();
    }
  }

  async *#passOn(records: readonly unknown[]): AsyncGenerator<AnyMessage, void, undefined> {
    for (const record of records) {
      if (!this.#isExpected(record)) continue;
      await this.#options.waitForRoom();
      // An agent that asks and does not listen is not listened to.
      while (this.#owed > MAX_OPEN_REQUESTS)
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      if (isUpdate(record)) this.#options.onUpdate(fieldOf(record, 'params'));
      else yield record;
    }
  }

  /** A request, a notification, or the answer to a request of ours. */
  #isExpected(record: unknown): record is AnyMessage {
    if (!isRecord(record) || textOf(record, 'jsonrpc') !== '2.0') return false;
    const id = fieldOf(record, 'id');
    if (!Object.hasOwn(record, 'method')) return this.#asked.delete(id);
    if (textOf(record, 'method') === undefined) return false;
    if (id === undefined) return true;
    const isRequest = typeof id === 'string' || Number.isFinite(id);
    if (isRequest) this.#owed += 1;
    return isRequest;
  }

  #noteSent(message: AnyMessage): void {
    if (!('method' in message)) {
      this.#owed -= 1;
      this.#wake?.();
    } else if ('id' in message) this.#asked.add(message.id);
  }
}

function isUpdate(message: AnyMessage): boolean {
  return 'method' in message && message.method === 'session/update' && !('id' in message);
}
