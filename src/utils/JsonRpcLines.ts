import { JsonLines, type JsonLinesOptions } from './jsonLines.js';

/** The part that a record plays between two sides that ask each other. */
export type MessageRole =
  | { readonly kind: 'request' | 'answer'; readonly id: unknown }
  | { readonly kind: 'notification' };

export interface JsonRpcLinesOptions extends Pick<JsonLinesOptions, 'maxLineBytes'> {
  /** Tells messages from what is none. Default: JSON-RPC 2.0. */
  readonly roleOf?: (record: unknown) => MessageRole | undefined;
  /** Requests of the other side that may wait for their answers. With more, nothing is read until one is answered. */
  readonly maxOpenRequests?: number;
  /** The error by which a line that is not JSON is answered; what else is no message, too. Absent: it is counted and passed over. */
  readonly parseError?: string;
  /** Called with every piece of input. */
  readonly onInput?: () => void;
}

interface OpenRequest {
  readonly id: unknown;
  /** Work that comes after its answer. */
  readonly afterAnswer: Array<() => void>;
}

/**
 * Two sides that send each other requests and answers, a line of JSON each. Lines have bounded length, answers to nothing are
 * passed over, and a side that asks and does not listen is not listened to. `Message` is what `roleOf` accepts.
 */
export class JsonRpcLines<Message extends object> {
  /** The input as lines, with those that were no record. */
  readonly lines: JsonLines;
  readonly #input: AsyncIterable<Uint8Array>;
  readonly #writeText: (text: string) => Promise<void>;
  readonly #options: JsonRpcLinesOptions;
  readonly #roleOf: (record: unknown) => MessageRole | undefined;
  /** Our requests that are not answered. */
  readonly #asked = new Set<unknown>();
  /** Requests of the other side that are not answered; counted only where there is a limit: some protocols leave requests open. */
  #open: readonly OpenRequest[] = [];
  #refusals: object[] = [];
  #onAnswer: Array<() => void> = [];

  /** `write` resolves when the other side has taken the text, or never will. */
  constructor(
    input: AsyncIterable<Uint8Array>,
    write: (text: string) => Promise<void>,
    options: JsonRpcLinesOptions = {},
  ) {
    this.#input = input;
    this.#writeText = write;
    this.#options = options;
    this.#roleOf = options.roleOf ?? roleInJsonRpc;
    const { maxLineBytes, parseError } = options;
    this.lines = new JsonLines({
      maxLineBytes,
      onLost: (reason, start) => {
        if (parseError === undefined) return;
        const isBad = reason === 'bad';
        this.#refusals.push(
          isBad ? createRefusal(null, -32700, parseError) : refuseLong(start, this.lines.maxLineBytes),
        );
      },
    });
  }

  /** The messages as they come, until the end of the input. No more is read than is taken. */
  async *messages(): AsyncGenerator<Message, void, undefined> {
    for await (const chunk of this.#input) {
      this.#options.onInput?.();
      yield* this.#expected(this.lines.push(chunk));
    }
    yield* this.#expected(this.lines.end());
  }

  /** Resolves when the message is written. */
  async send(message: Message): Promise<void> {
    const role = this.#roleOf(message);
    if (role?.kind === 'request') this.#asked.add(role.id);
    await this.#write(message);
    if (role?.kind === 'answer') this.#close(role.id);
  }

  /** Does something at once after a request of the other side is answered. */
  afterAnswer(requestId: unknown, act: () => void): void {
    this.#open.find(({ id }) => id === requestId)?.afterAnswer.push(act);
  }

  /** Resolves when every request that was read is answered. */
  async allAnswered(): Promise<void> {
    while (this.#open.length > 0) await this.#nextAnswer();
  }

  async *#expected(records: readonly unknown[]): AsyncGenerator<Message, void, undefined> {
    const { maxOpenRequests, parseError } = this.#options;
    for (const refusal of this.#refusals.splice(0)) await this.#write(refusal);
    for (const record of records) {
      const role = this.#roleOf(record);
      if (role === undefined) {
        if (parseError !== undefined) await this.#write(refuseRecord(record));
        continue;
      }
      if (role.kind === 'answer' && !this.#asked.delete(role.id)) continue;
      if (role.kind === 'request' && maxOpenRequests !== undefined) {
        while (this.#open.length >= maxOpenRequests) await this.#nextAnswer();
        this.#open = [...this.#open, { id: role.id, afterAnswer: [] }];
      }
      yield record as Message;
    }
  }

  #close(requestId: unknown): void {
    const answered = this.#open.find(({ id }) => id === requestId);
    if (answered === undefined) return;
    this.#open = this.#open.filter((request) => request !== answered);
    for (const act of answered.afterAnswer) act();
    for (const wake of this.#onAnswer.splice(0)) wake();
  }

  #nextAnswer(): Promise<void> {
    return new Promise((resolve) => this.#onAnswer.push(resolve));
  }

  #write(message: object): Promise<void> {
    return this.#writeText(`${JSON.stringify(message)}\n`);
  }
}

/** The role of a record in JSON-RPC 2.0; undefined: it is no message. An answer is known by its id, whatever else is wrong with it. */
export function roleInJsonRpc(record: unknown): MessageRole | undefined {
  if (typeof record !== 'object' || record === null) return undefined;
  const { jsonrpc, id, method } = record as Readonly<Record<string, unknown>>;
  if (method === undefined) return isId(id) ? { kind: 'answer', id } : undefined;
  if (jsonrpc !== '2.0' || typeof method !== 'string') return undefined;
  if (id === undefined) return { kind: 'notification' };
  return isId(id) ? { kind: 'request', id } : undefined;
}

function isId(id: unknown): id is string | number | null {
  return id === null || typeof id === 'string' || Number.isFinite(id);
}

function refuseLong(start: string, maxLineBytes: number): object {
  return createRefusal(
    readLostId(start),
    -32600,
    `Messages may have at most ${maxLineBytes / 1024 / 1024} MB`,
  );
}

function refuseRecord(record: unknown): object {
  const { id }: { readonly id?: unknown } = Object(record);
  return createRefusal(isId(id) ? id : null, -32600, 'Invalid request');
}

function createRefusal(id: unknown, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** The id stands before the parameters, and programs write it so. */
const ID = /"id"\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.){1,100}")\s*[,}]/u;

/** The id of a request of which only the beginning is known, for its sender waits for the answer to that one; null if it is not in there. */
function readLostId(start: string): unknown {
  const [head = ''] = start.split('"params"');
  const [, id] = ID.exec(head) ?? [];
  return id === undefined || !head.includes('"method"') ? null : JSON.parse(id);
}
