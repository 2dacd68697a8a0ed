import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, InitializeResponse, JsonRpcId, Stream } from '@agentclientprotocol/sdk/unstable';
import { type Deferred, defer } from '../../utils/defer.js';
import { JsonRpcLines } from '../../utils/JsonRpcLines.js';
import { readVersion } from '../../utils/readVersion.js';
import { untilAborted } from '../../utils/untilAborted.js';

/** Requests of a client that are worked on at a time. */
const MAX_OPEN_REQUESTS = 1000;
/** A prompt has text of up to 16 MB and attachments. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Standard input and output, or anything like them. */
export interface ClientPipe {
  readonly input: Readable;
  readonly output: Writable;
}

/** A client's pipes as the stream of messages that the SDK wants. */
export class AgentStream implements Stream {
  readonly readable: ReadableStream<AnyMessage>;
  readonly writable: WritableStream<AnyMessage>;
  /** Called when everything the client wrote has been read. What it still waits for can be answered until this resolves. */
  onInputEnd: () => Promise<unknown> = () => Promise.resolve();
  readonly #input: Readable;
  readonly #lines: JsonRpcLines<AnyMessage>;
  readonly #messages: AsyncGenerator<AnyMessage, void, undefined>;
  /** The first message, if it was looked at. */
  #first: AnyMessage | undefined;
  /** The request that was answered before the others were, until the SDK answers it, too. */
  #greeted: { readonly id: JsonRpcId; readonly answered: Deferred<void> } | undefined;

  constructor({ input, output }: ClientPipe) {
    this.#input = input;
    this.#lines = new JsonRpcLines(input, (text) => writeTo(output, text), {
      maxLineBytes: MAX_LINE_BYTES,
      maxOpenRequests: MAX_OPEN_REQUESTS,
      parseError: 'Parse error',
    });
    this.#messages = this.#lines.messages();
    this.readable = ReadableStream.from(this.#passOn());
    this.writable = new WritableStream({ write: (message) => this.#send(message) });
  }

  /**
   * Waits for the first message and says whether one came. If it is `initialize`, this is the answer to it; the one that comes
   * later is not sent.
   */
  async greet(result: object, signal: AbortSignal): Promise<boolean> {
    const first = await untilAborted(this.#messages.next(), signal);
    if (first === undefined || first.done) return false;
    const message = first.value;
    this.#first = message;
    if (!('method' in message) || !('id' in message)) return true;
    if (message.method !== 'initialize' || !namesVersion(message.params)) return true;
    const { id } = message;
    await this.#lines.send({ jsonrpc: '2.0', id, result });
    this.#greeted = { id, answered: defer() };
    return true;
  }

  /** Reads no more. Somebody waits for the next line, and would until there is one. */
  close(): void {
    this.#input.destroy();
  }

  /** Does something when the answer to a request is written, at once after it. */
  afterAnswer(requestId: JsonRpcId, act: () => void): void {
    this.#lines.afterAnswer(requestId, act);
  }

  async *#passOn(): AsyncGenerator<AnyMessage, void, undefined> {
    if (this.#first !== undefined) yield this.#first;
    // Work that an answer lets continue must not be ahead of what the answer was to.
    await this.#greeted?.answered.promise;
    yield* this.#messages;
    await Promise.race([this.#lines.allAnswered(), this.onInputEnd()]);
  }

  async #send(message: AnyMessage): Promise<void> {
    const greeted = this.#greeted;
    if ('method' in message || greeted === undefined || message.id !== greeted.id)
      return this.#lines.send(message);
    this.#greeted = undefined;
    greeted.answered.resolve();
  }
}

/** Whether parameters are those of `initialize`, as far as it matters. */
function namesVersion(params: unknown): boolean {
  return Number.isInteger(Object(params).protocolVersion);
}

function writeTo(output: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** The answer to `initialize`: what a client may ask of us. */
export function describeAgent(): InitializeResponse {
  return {
    protocolVersion: 1,
    agentInfo: { name: 'huddle', title: 'Huddle', version: readVersion() },
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: {
        list: {},
        resume: {},
        close: {},
        delete: {},
        fork: {},
        additionalDirectories: {},
      },
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true },
    },
    authMethods: [],
  };
}
