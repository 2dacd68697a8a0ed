import type { AnyMessage, Stream } from '@agentclientprotocol/sdk/unstable';
import { JsonLines, type JsonLinesOptions } from '../../utils/jsonLines.js';
import { fieldOf, isRecord, textOf } from '../dialect/records.js';

/** Requests of an agent that are worked on at a time. */
const MAX_OPEN_REQUESTS = 64;

/** What this side of the pipes needs of a process. */
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

/** The messages of one agent, and what was wrong with its output. */
export interface AcpStream {
  readonly stream: Stream;
  /** Settles when everything the agent wrote has been passed on. */
  readonly ended: Promise<void>;
  readonly skippedLines: number;
  readonly badSample: string | undefined;
}

/**
 * An agent's pipes as the stream of messages that the SDK wants, under our own rules for output: lines of bounded
 * length, what is no message is counted and passed over, and no more is read than is wanted. Two things never reach the
 * SDK, which would print them: a response that nobody asked for, and updates, of which it would drop those that its
 * schema does not know.
 */
export function createAcpStream(pipe: MessagePipe, options: AcpStreamOptions): AcpStream {
  const lines = new JsonLines(options);
  const debts = new Debts();
  const { promise: ended, resolve: end } = deferred();
  const messages = readMessages(pipe.stdout, lines, options, debts, end);
  const stream: Stream = {
    readable: new ReadableStream<AnyMessage>(
      {
        async pull(controller) {
          const { value, done } = await messages.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      },
      { highWaterMark: 0 },
    ),
    writable: new WritableStream<AnyMessage>({
      write(message) {
        debts.noteSent(message);
        return pipe.write(`${JSON.stringify(message)}\n`);
      },
    }),
  };
  return {
    stream,
    ended,
    get skippedLines() {
      return lines.skippedLines;
    },
    get badSample() {
      return lines.badSamples[0];
    },
  };
}

async function* readMessages(
  stdout: AsyncIterable<Uint8Array>,
  lines: JsonLines,
  { onOutput, waitForRoom, onUpdate }: AcpStreamOptions,
  debts: Debts,
  onEnd: () => void,
): AsyncGenerator<AnyMessage, void, undefined> {
  try {
    for await (const records of readRecords(stdout, lines, onOutput)) {
      for (const record of records) {
        if (!debts.isExpected(record)) continue;
        await waitForRoom();
        await debts.waitForRoom();
        if (isUpdate(record)) onUpdate(fieldOf(record, 'params'));
        else yield record;
      }
    }
  } finally {
    onEnd();
  }
}

async function* readRecords(
  stdout: AsyncIterable<Uint8Array>,
  lines: JsonLines,
  onOutput: () => void,
): AsyncGenerator<readonly unknown[], void, undefined> {
  for await (const chunk of stdout) {
    onOutput();
    yield lines.push(chunk);
  }
  yield lines.end();
}

function isUpdate(message: AnyMessage): boolean {
  return 'method' in message && message.method === 'session/update' && !('id' in message);
}

/** Which answers each side still owes the other. */
class Debts {
  readonly #theirs = new Set<unknown>();
  #ours = 0;
  #wake: (() => void) | undefined;

  noteSent(message: AnyMessage): void {
    if (!('method' in message)) this.#noteAnswer();
    else if ('id' in message) this.#theirs.add(message.id);
  }

  /** A request, a notification, or the answer to a request of ours. */
  isExpected(record: unknown): record is AnyMessage {
    if (!isRecord(record) || textOf(record, 'jsonrpc') !== '2.0') return false;
    const id = fieldOf(record, 'id');
    if (!Object.hasOwn(record, 'method')) return this.#theirs.delete(id);
    if (textOf(record, 'method') === undefined) return false;
    if (id === undefined) return true;
    const isRequest = typeof id === 'string' || Number.isFinite(id);
    if (isRequest) this.#ours += 1;
    return isRequest;
  }

  /** Settles when what was asked of us is not too much: an agent that asks and does not listen is not listened to. */
  async waitForRoom(): Promise<void> {
    while (this.#ours > MAX_OPEN_REQUESTS)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  #noteAnswer(): void {
    this.#ours -= 1;
    this.#wake?.();
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
