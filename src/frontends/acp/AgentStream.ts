import type { Readable, Writable } from 'node:stream';
import type { AnyMessage, JsonRpcId, Stream } from '@agentclientprotocol/sdk/unstable';
import { JsonLines } from '../../utils/jsonLines.js';
import { untilAborted } from '../../utils/untilAborted.js';
import { readLostId } from './readLostId.js';

/** Requests of a client that are worked on at a time. */
const MAX_OPEN_REQUESTS = 1000;
/** A prompt has text of up to 16 MB and attachments. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

const PARSE_ERROR = { code: -32700, message: 'Parse error' };
const TOO_LONG = { code: -32600, message: `Messages may have at most ${MAX_LINE_BYTES / 1024 / 1024} MB` };

/** Standard input and output, or anything like them. */
export interface ClientPipe {
  readonly input: Readable;
  readonly output: Writable;
}

/** An object that a client sent. */
interface MaybeMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

/**
 * A client's pipes as the stream of messages that the SDK wants, under our own rules for input: a line that is no message is
 * answered with an error and never ends the connection, an answer to nothing is passed over, and a client that asks and does not
 * listen is not listened to.
 */
export class AgentStream implements Stream {
  readonly readable: ReadableStream<AnyMessage>;
  readonly writable: WritableStream<AnyMessage>;
  /** Called when everything the client wrote has been read. What it still waits for can be answered until this resolves. */
  onInputEnd: () => Promise<unknown> = () => Promise.resolve();
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #messages: AsyncGenerator<AnyMessage, void, undefined>;
  readonly #lines: JsonLines;
  /** Our requests that the client has not answered. */
  readonly #asked = new Set<unknown>();
  /** Its requests that we have not answered, with what comes after the answer. */
  readonly #owed = new Map<JsonRpcId, Array<() => void>>();
  #lost: AnyMessage[] = [];
  #wake: () => void = () => undefined;
  /** The first message, if it was looked at. */
  #first: AnyMessage | undefined;
  /** The request that was answered before the others were. */
  #greeted: JsonRpcId | undefined;

  constructor({ input, output }: ClientPipe) {
    this.#input = input;
    this.#output = output;
    this.#lines = new JsonLines({
      maxLineBytes: MAX_LINE_BYTES,
      onLost: (reason, start) => this.#lost.push(refuse(reason, start)),
    });
    this.#messages = this.#readMessages();
    this.readable = ReadableStream.from(this.#passAllOn());
    this.writable = new WritableStream({ write: (message) => this.#write(message) });
  }

  /**
   * Waits for the first message and says whether one came. If it is `initialize`, this is the answer to it; the one that comes
   * later is not sent.
   */
  async greet(answer: object, signal: AbortSignal): Promise<boolean> {
    const first = await untilAborted(this.#messages.next(), signal);
    if (first === undefined || first.done) return false;
    this.#first = first.value;
    const { id, method, params }: MaybeMessage = Object(first.value);
    if (method !== 'initialize' || !isId(id) || !this.#owed.has(id) || !namesVersion(params)) return true;
    await this.#writeLine({ jsonrpc: '2.0', id, result: answer });
    this.#greeted = id;
    return true;
  }

  /** Reads no more. Somebody waits for the next line, and would until there is one. */
  close(): void {
    this.#input.destroy();
  }

  /** Does something when the answer to a request is written, at once after it. */
  afterAnswer(requestId: JsonRpcId, act: () => void): void {
    this.#owed.get(requestId)?.push(act);
  }

  async *#passAllOn(): AsyncGenerator<AnyMessage, void, undefined> {
    if (this.#first !== undefined) yield this.#first;
    // Work that an answer lets continue must not be ahead of what the answer was to.
    while (this.#greeted !== undefined) await this.#nextAnswer();
    yield* this.#messages;
  }

  async *#readMessages(): AsyncGenerator<AnyMessage, void, undefined> {
    for await (const chunk of this.#input) yield* this.#passOn(this.#lines.push(chunk));
    yield* this.#passOn(this.#lines.end());
    const isOver = this.onInputEnd().then(() => true);
    while (this.#owed.size > 0 && !(await Promise.race([this.#nextAnswer(), isOver])));
  }

  async *#passOn(records: readonly unknown[]): AsyncGenerator<AnyMessage, void, undefined> {
    for (const answer of this.#lost.splice(0)) await this.#write(answer);
    for (const record of records) {
      if (!this.#isExpected(record)) continue;
      while (this.#owed.size > MAX_OPEN_REQUESTS) await this.#nextAnswer();
      yield record;
    }
  }

  /** Anything but an answer to a request that we did not make. What is no message at all is for the SDK to refuse. */
  #isExpected(record: unknown): record is AnyMessage {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return true;
    const { jsonrpc, id, method }: MaybeMessage = record;
    if (method === undefined && id !== undefined) return this.#asked.delete(id);
    if (jsonrpc === '2.0' && typeof method === 'string' && isId(id)) this.#owed.set(id, []);
    return true;
  }

  #nextAnswer(): Promise<false> {
    return new Promise((resolve) => {
      this.#wake = () => resolve(false);
    });
  }

  async #write(message: AnyMessage): Promise<void> {
    if ('method' in message && 'id' in message) this.#asked.add(message.id);
    if (!('method' in message) && this.#greeted !== undefined && message.id === this.#greeted)
      this.#greeted = undefined;
    else await this.#writeLine(message);
    if ('method' in message || !this.#owed.has(message.id)) return;
    const acts = this.#owed.get(message.id) ?? [];
    this.#owed.delete(message.id);
    for (const act of acts) act();
    this.#wake();
  }

  #writeLine(message: AnyMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }
}

function isId(id: unknown): id is JsonRpcId {
  return id === null || typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
}

/** Whether parameters are those of `initialize`, as far as it matters. */
function namesVersion(params: unknown): boolean {
  return Number.isInteger(Object(params).protocolVersion);
}

/** The answer to a line that cannot be read; to the request that it seems to be, for a client would wait for that one. */
function refuse(reason: 'bad' | 'too-long', start: string): AnyMessage {
  const id = reason === 'bad' ? null : readLostId(start);
  return { jsonrpc: '2.0', id, error: reason === 'bad' ? PARSE_ERROR : TOO_LONG };
}
