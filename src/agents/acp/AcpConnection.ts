import type { AnyMessage, ClientConnection } from '@agentclientprotocol/sdk/unstable';
import { defer } from '../../utils/defer.js';
import { JsonRpcLines, type JsonRpcLinesOptions } from '../../utils/JsonRpcLines.js';
import type { JsonLines } from '../../utils/jsonLines.js';
import { readVersion } from '../../utils/readVersion.js';
import { fieldOf, numberOf, textOf } from '../dialect/records.js';
import type { AcpRequests } from './AcpRequests.js';
import { AcpTurnError } from './failures.js';
import type { KnownAcpAgent } from './knownAgents.js';
import { FileRefusedError } from './WorkingFolder.js';

/** Requests of an agent that are worked on at a time. */
const MAX_OPEN_REQUESTS = 64;

/** The part of a process that this side of the pipes needs. */
export interface MessagePipe {
  readonly stdout: AsyncIterable<Uint8Array>;
  write(text: string): Promise<void>;
}

/** A session that is open in a running agent. */
export interface OpenSession {
  readonly sessionId: string;
  /** The agent's description of it when it was opened: modes, models, options. */
  readonly offers: unknown;
  /** The system text it was opened with. */
  readonly systemText: string | undefined;
}

/** The turn that an agent works for. */
export interface AcpClient {
  /** Updates and requests about any other session do not reach it. */
  readonly sessionId: string | undefined;
  readonly requests: AcpRequests;
  onOutput(): void;
  waitForRoom(): Promise<void>;
  onUpdate(update: unknown): void;
}

type Sdk = typeof import('@agentclientprotocol/sdk/unstable');

/** Loads the SDK, with the first agent and not before. */
export function loadSdk(): Promise<Sdk> {
  return import('@agentclientprotocol/sdk/unstable');
}

/** A connection to one agent at the other end of a pipe. Its results and errors are as it wrote them: the caller reads them with care. */
export class AcpConnection {
  /** Sessions that a turn can continue. */
  readonly sessions = new Map<string, OpenSession>();
  readonly #ended = defer<void>();
  /** The turn that the agent works for, if any. */
  client: AcpClient | undefined;
  readonly #sdk: Sdk;
  readonly #messages: JsonRpcLines<AnyMessage>;
  readonly #connection: ClientConnection;
  #initializing: Promise<void> | undefined;
  #initialized: unknown;

  constructor(pipe: MessagePipe, { maxLineBytes }: Pick<JsonRpcLinesOptions, 'maxLineBytes'>, sdk: Sdk) {
    this.#sdk = sdk;
    this.#messages = new JsonRpcLines(pipe.stdout, (text) => pipe.write(text), {
      maxLineBytes,
      maxOpenRequests: MAX_OPEN_REQUESTS,
      // A sign of life.
      onInput: () => this.client?.onOutput(),
    });
    const { session, fs } = sdk.methods.client;
    this.#connection = sdk
      .client({ name: 'huddle' })
      .onRequest(session.requestPermission, unchecked, ({ params, signal }) =>
        this.#requireClient(params).requests.answer(params, signal),
      )
      .onRequest(fs.readTextFile, unchecked, ({ params }) =>
        this.#explain(this.#requireClient(params).requests.read(params)),
      )
      .onRequest(fs.writeTextFile, unchecked, ({ params }) =>
        this.#explain(this.#requireClient(params).requests.write(params)),
      )
      .connect({
        readable: ReadableStream.from(this.#receive()),
        writable: new WritableStream({ write: (message) => this.#messages.send(message) }),
      });
  }

  /** The agent's output as lines, with those that were no message. */
  get lines(): JsonLines {
    return this.#messages.lines;
  }

  /** Settles when everything the agent wrote has been passed on. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** The agent's answer to `initialize`. */
  get initialized(): unknown {
    return this.#initialized;
  }

  /** Asks what the agent is, once. Throws AcpTurnError, and what the agent answers in place of a result. */
  initialize(known: KnownAcpAgent | undefined): Promise<void> {
    this.#initializing ??= this.#initialize(known);
    return this.#initializing;
  }

  /** Rejects with what the agent answered in place of a result, or when it is gone. */
  request(method: string, params: object): Promise<unknown> {
    return this.#connection.agent.request(method, params);
  }

  notify(method: string, params: object): void {
    // An agent that is gone needs no notice; that it is gone is noticed by the caller that waits for an answer.
    this.#connection.agent.notify(method, params).catch(() => undefined);
  }

  /** From now on no request is answered. */
  stop(): void {
    this.#connection.close();
  }

  async #initialize(known: KnownAcpAgent | undefined): Promise<void> {
    const protocolVersion = this.#sdk.PROTOCOL_VERSION;
    this.#initialized = await this.request('initialize', {
      protocolVersion,
      clientCapabilities: {
        fs: { readTextFile: known?.readsFilesItself !== true, writeTextFile: true },
        terminal: false,
      },
      clientInfo: { name: 'huddle', title: 'Huddle', version: readVersion() },
    });
    const version = numberOf(this.#initialized, 'protocolVersion');
    if (version === protocolVersion) return;
    throw new AcpTurnError({
      code: 'AGENT_ERROR',
      reason: 'other-protocol',
      ...(version !== undefined && { found: version }),
      needed: protocolVersion,
    });
  }

  /** Messages for the SDK. Updates never reach it: it would drop, and print, those that its schema does not know. */
  async *#receive(): AsyncGenerator<AnyMessage, void, undefined> {
    try {
      for await (const message of this.#messages.messages()) {
        await this.client?.waitForRoom();
        const params = fieldOf(message, 'params');
        if (isUpdate(message)) this.#clientOf(params)?.onUpdate(fieldOf(params, 'update'));
        else yield message;
      }
    } finally {
      this.#ended.resolve();
    }
  }

  #clientOf(params: unknown): AcpClient | undefined {
    const sessionId = textOf(params, 'sessionId');
    return sessionId !== undefined && this.client?.sessionId === sessionId ? this.client : undefined;
  }

  #requireClient(params: unknown): AcpClient {
    const client = this.#clientOf(params);
    if (client === undefined) throw this.#sdk.RequestError.sessionNotFound(textOf(params, 'sessionId') ?? '');
    return client;
  }

  /** The same, with a refusal in the words of the protocol. */
  async #explain<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof FileRefusedError)) throw error;
      const { RequestError } = this.#sdk;
      if (error.isMissing) throw RequestError.resourceNotFound(error.path);
      throw RequestError.invalidParams(undefined, error.message);
    }
  }
}

function isUpdate(message: AnyMessage): boolean {
  return 'method' in message && message.method === 'session/update' && !('id' in message);
}

/** Parameters are read field by field where they are used; what is not known here must not make them invalid. */
function unchecked(params: unknown): unknown {
  return params;
}
