import type { ClientConnection, RequestError } from '@agentclientprotocol/sdk/unstable';
import { fieldOf, textOf } from '../dialect/records.js';
import { type AcpStream, type AcpStreamOptions, createAcpStream, type MessagePipe } from './acpStream.js';
import type { PermissionOutcome } from './permissionOutcome.js';
import { FileRefusedError } from './WorkingFolder.js';

/** A session that is open in a running agent. */
export interface OpenSession {
  readonly sessionId: string;
  /** What the agent said about it when it was opened: modes, models, options. */
  readonly offers: unknown;
  /** The system text it was opened with. */
  readonly systemText: string | undefined;
}

/** Whoever an agent works for just now. */
export interface AcpTurnListener {
  /** What is about any other session does not reach it. */
  readonly sessionId: string | undefined;
  onUpdate(update: unknown): void;
  onQuestion(question: unknown, signal: AbortSignal): Promise<PermissionOutcome>;
  onRead(request: unknown): Promise<{ content: string }>;
  onWrite(request: unknown): Promise<object>;
}

type Sdk = typeof import('@agentclientprotocol/sdk/unstable');

/** The SDK is loaded with the first agent, so that nobody else waits for it. */
export function loadSdk(): Promise<Sdk> {
  return import('@agentclientprotocol/sdk/unstable');
}

/** One agent at the other end of a pipe. Its results and errors are as it wrote them: whoever asks reads them with care. */
export class AcpAgent {
  /** Those a turn can go on in. */
  readonly sessions = new Map<string, OpenSession>();
  readonly output: AcpStream;
  readonly #sdk: Sdk;
  readonly #connection: ClientConnection;
  #listener: AcpTurnListener | undefined;

  constructor(pipe: MessagePipe, options: Omit<AcpStreamOptions, 'onUpdate'>, sdk: Sdk) {
    this.#sdk = sdk;
    this.output = createAcpStream(pipe, {
      ...options,
      onUpdate: (params) => this.#listenerOf(params)?.onUpdate(fieldOf(params, 'update')),
    });
    const { session, fs } = sdk.methods.client;
    this.#connection = sdk
      .client({ name: 'huddle' })
      .onRequest(session.requestPermission, unchecked, ({ params, signal }) =>
        this.#requireListener(params).onQuestion(params, signal),
      )
      .onRequest(fs.readTextFile, unchecked, ({ params }) =>
        this.#explain(this.#requireListener(params).onRead(params)),
      )
      .onRequest(fs.writeTextFile, unchecked, ({ params }) =>
        this.#explain(this.#requireListener(params).onWrite(params)),
      )
      .connect(this.output.stream);
  }

  /** The version of the protocol that is spoken here. */
  get protocolVersion(): number {
    return this.#sdk.PROTOCOL_VERSION;
  }

  /** Rejects with what the agent answered in place of a result, or when it is gone. */
  request(method: string, params: object): Promise<unknown> {
    return this.#connection.agent.request(method, params);
  }

  notify(method: string, params: object): void {
    // An agent that is gone needs no notice; that it is gone is noticed by whoever waits for an answer.
    this.#connection.agent.notify(method, params).catch(() => undefined);
  }

  /** From now on it works for this turn, or for nobody. */
  workFor(listener: AcpTurnListener | undefined): void {
    this.#listener = listener;
  }

  /** Whoever waits for an answer gets none. */
  disconnect(): void {
    this.#connection.close();
  }

  #listenerOf(params: unknown): AcpTurnListener | undefined {
    const sessionId = textOf(params, 'sessionId');
    return sessionId !== undefined && this.#listener?.sessionId === sessionId ? this.#listener : undefined;
  }

  #requireListener(params: unknown): AcpTurnListener {
    const listener = this.#listenerOf(params);
    if (listener === undefined)
      throw this.#sdk.RequestError.sessionNotFound(textOf(params, 'sessionId') ?? '');
    return listener;
  }

  /** The same, with a refusal in the words of the protocol. */
  async #explain<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      throw error instanceof FileRefusedError ? this.#refusal(error) : error;
    }
  }

  #refusal({ isMissing, path, message }: FileRefusedError): RequestError {
    const { RequestError } = this.#sdk;
    return isMissing ? RequestError.resourceNotFound(path) : RequestError.invalidParams(undefined, message);
  }
}

/** Parameters are read field by field where they are used; what is not known here must not make them invalid. */
function unchecked(params: unknown): unknown {
  return params;
}
