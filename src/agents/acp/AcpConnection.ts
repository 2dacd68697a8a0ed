import type {
  AnyMessage,
  ClientConnection,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk/unstable';
import { putSystemTextInPrompt, SYSTEM_TEXT_IN_PROMPT } from '../../models/AgentEvent.js';
import type { FailureFacts } from '../../models/TurnOutcome.js';
import { defer } from '../../utils/defer.js';
import { JsonRpcLines, type JsonRpcLinesOptions } from '../../utils/JsonRpcLines.js';
import type { JsonLines } from '../../utils/jsonLines.js';
import { readVersion } from '../../utils/readVersion.js';
import type { PermissionAnswer } from '../AgentAdapter.js';
import { sessionEvents, type Verdict } from '../dialect/Dialect.js';
import { fieldOf, isRecord, listOf, numberOf, textOf } from '../dialect/records.js';
import { type LiveClient, type LiveConnection, LiveTurnError } from '../live/LiveConnection.js';
import { FileRefusedError } from '../live/WorkingFolder.js';
import { isAnswer, loginWaysIn, readRequestError } from './failures.js';
import type { KnownAcpAgent } from './knownAgents.js';
import {
  chooseServersFor,
  configureSession,
  type OpenSession,
  openSession,
  type SessionAgent,
  takesSystemText,
} from './openSession.js';
import { readStopReason, readUsage, UpdateReader } from './UpdateReader.js';

/** Requests of an agent that are worked on at a time. */
const MAX_OPEN_REQUESTS = 64;

/** The part of a process that this side of the pipes needs. */
export interface MessagePipe {
  readonly stdout: AsyncIterable<Uint8Array>;
  write(text: string): Promise<void>;
}

/** A prompt that the agent works on. History that comes with an opened session is not part of it. */
interface PromptWork {
  readonly turn: LiveClient;
  /** Updates and requests about any other session do not reach it. */
  readonly sessionId: string;
  readonly reader: UpdateReader;
  /** The agent has told of its work on the prompt. */
  hasWorked: boolean;
}

export interface AcpConnectionOptions extends Pick<JsonRpcLinesOptions, 'maxLineBytes'> {
  readonly known?: KnownAcpAgent | undefined;
}

type Sdk = typeof import('@agentclientprotocol/sdk/unstable');

/** Loads the SDK, with the first agent and not before. */
export function loadSdk(): Promise<Sdk> {
  return import('@agentclientprotocol/sdk/unstable');
}

/** The protocol with one agent at the other end of a pipe. Its results and errors are as it wrote them: they are read with care. */
export class AcpConnection implements LiveConnection, SessionAgent {
  /** Sessions that a turn can continue. */
  readonly sessions = new Map<string, OpenSession>();
  readonly #ended = defer<void>();
  client: LiveClient | undefined;
  readonly #known: KnownAcpAgent | undefined;
  readonly #sdk: Sdk;
  readonly #messages: JsonRpcLines<AnyMessage>;
  readonly #connection: ClientConnection;
  #initializing: Promise<void> | undefined;
  #initialized: unknown;
  #work: PromptWork | undefined;

  constructor(pipe: MessagePipe, { known, maxLineBytes }: AcpConnectionOptions, sdk: Sdk) {
    this.#sdk = sdk;
    this.#known = known;
    this.#messages = new JsonRpcLines(pipe.stdout, (text) => pipe.write(text), {
      maxLineBytes,
      maxOpenRequests: MAX_OPEN_REQUESTS,
      // A sign of life.
      onInput: () => this.client?.noteOutput(),
    });
    const { session, fs } = sdk.methods.client;
    this.#connection = sdk
      .client({ name: 'huddle' })
      .onRequest(session.requestPermission, unchecked, ({ params, signal }) => this.#ask(params, signal))
      .onRequest(fs.readTextFile, unchecked, ({ params }) => this.#explainRefusal(this.#read(params)))
      .onRequest(fs.writeTextFile, unchecked, ({ params }) => this.#explainRefusal(this.#write(params)))
      .connect({
        readable: ReadableStream.from(this.#receive()),
        writable: new WritableStream({ write: (message) => this.#messages.send(message) }),
      });
  }

  get lines(): JsonLines {
    return this.#messages.lines;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  get initialized(): unknown {
    return this.#initialized;
  }

  /** Asks what the agent is, once. */
  open(): Promise<void> {
    this.#initializing ??= this.#initialize();
    return this.#initializing;
  }

  async prompt(turn: LiveClient): Promise<Verdict | undefined> {
    const { request } = turn;
    const session = await openSession(this, request);
    await configureSession(this, session, request, this.#known);
    const { sessionId } = session;
    turn.say([...sessionEvents(sessionId), ...chooseServersFor(this, request).warnings]);
    const work: PromptWork = { turn, sessionId, reader: new UpdateReader(), hasWorked: false };
    this.#work = work;
    const end = turn.begin(() => this.#notify('session/cancel', { sessionId }));
    try {
      const isBeside = !request.systemFlag || takesSystemText(this);
      if (!isBeside) turn.say([SYSTEM_TEXT_IN_PROMPT]);
      const { prompt } = isBeside ? request : putSystemTextInPrompt(request);
      const answer = await this.request('session/prompt', {
        sessionId,
        prompt: [{ type: 'text', text: prompt }],
      });
      const usage = readUsage(answer, work.reader, request.sessionTotals);
      turn.say([...work.reader.end(), ...(usage === undefined ? [] : [usage])]);
      const verdict = readStopReason(answer);
      if (verdict?.ok === false) this.#noteKept(work);
      return verdict;
    } catch (error) {
      if (isAnswer(error)) this.#noteKept(work);
      throw error;
    } finally {
      this.#work = undefined;
      end();
    }
  }

  explain(error: unknown): FailureFacts | undefined {
    if (!isAnswer(error)) return undefined;
    const failure = readRequestError(error);
    const ways = loginWaysIn(this.#initialized);
    return failure.reason === 'login-needed' && ways !== undefined ? { ...failure, ways } : failure;
  }

  request(method: string, params: object): Promise<unknown> {
    return this.#connection.agent.request(method, params);
  }

  /** From now on no request is answered. */
  stop(): void {
    this.#connection.close();
  }

  #notify(method: string, params: object): void {
    // An agent that is gone needs no notice; that it is gone is noticed by the caller that waits for an answer.
    this.#connection.agent.notify(method, params).catch(() => undefined);
  }

  async #initialize(): Promise<void> {
    const protocolVersion = this.#sdk.PROTOCOL_VERSION;
    this.#initialized = await this.request('initialize', {
      protocolVersion,
      clientCapabilities: {
        fs: { readTextFile: this.#known?.readsFilesItself !== true, writeTextFile: true },
        terminal: false,
      },
      clientInfo: { name: 'huddle', title: 'Huddle', version: readVersion() },
    });
    const version = numberOf(this.#initialized, 'protocolVersion');
    if (version === protocolVersion) return;
    throw new LiveTurnError({
      code: 'AGENT_ERROR',
      reason: 'other-protocol',
      found: version,
      needed: protocolVersion,
    });
  }

  /** Messages for the SDK. Updates never reach it: it would drop, and print, those that its schema does not know. */
  async *#receive(): AsyncGenerator<AnyMessage, void, undefined> {
    try {
      for await (const message of this.#messages.messages()) {
        await this.client?.waitForRoom();
        if (isUpdate(message)) this.#update(fieldOf(message, 'params'));
        else yield message;
      }
    } finally {
      this.#ended.resolve();
    }
  }

  #update(params: unknown): void {
    const work = this.#workOn(params);
    if (work === undefined) return;
    const events = work.reader.read(fieldOf(params, 'update'));
    work.hasWorked ||= events.some(({ type }) => type !== 'raw');
    work.turn.say(events);
  }

  /** Permission is only ever given for this once; where that is not offered there is none. */
  async #ask(params: unknown, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const { turn, reader } = this.#requireWork(params);
    const toolCall = fieldOf(params, 'toolCall');
    const call = reader.tools.note(isRecord(toolCall) ? toolCall : {});
    const answer = await turn.questions.ask(call, signal);
    const offered = listOf(params, 'options');
    const [optionId] = OPTION_KINDS[answer].flatMap((kind) => {
      const option = offered.find((each) => textOf(each, 'kind') === kind);
      return textOf(option, 'optionId') ?? [];
    });
    return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
  }

  async #read(params: unknown): Promise<{ content: string }> {
    const part = { line: numberOf(params, 'line'), limit: numberOf(params, 'limit') };
    const { questions } = this.#requireWork(params).turn;
    return { content: await questions.read(textOf(params, 'path') ?? '', part) };
  }

  async #write(params: unknown): Promise<object> {
    const { questions } = this.#requireWork(params).turn;
    await questions.write(textOf(params, 'path') ?? '', textOf(params, 'content') ?? '');
    return {};
  }

  /** Gives a refusal the words of the protocol. */
  async #explainRefusal<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof FileRefusedError)) throw error;
      const { RequestError } = this.#sdk;
      if (error.isMissing) throw RequestError.resourceNotFound(error.path);
      throw RequestError.invalidParams(undefined, error.message);
    }
  }

  #workOn(params: unknown): PromptWork | undefined {
    const sessionId = textOf(params, 'sessionId');
    return sessionId !== undefined && this.#work?.sessionId === sessionId ? this.#work : undefined;
  }

  #requireWork(params: unknown): PromptWork {
    const work = this.#workOn(params);
    if (work === undefined) throw this.#sdk.RequestError.sessionNotFound(textOf(params, 'sessionId') ?? '');
    return work;
  }

  /**
   * The agent itself has ended the turn without an answer: what its session then holds is known of some. One that had told
   * of no work may not have put the prompt into its session yet.
   */
  #noteKept({ turn, sessionId, hasWorked }: PromptWork): void {
    const { keepsPrompt } = this.#known ?? {};
    const isKnown = keepsPrompt === false || hasWorked;
    turn.say(sessionEvents(sessionId, { holdsPrompt: isKnown ? keepsPrompt : undefined }));
  }
}

/** The kinds of options that give an answer, best first. */
const OPTION_KINDS: Readonly<Record<PermissionAnswer, readonly string[]>> = {
  allow: ['allow_once', 'reject_once'],
  deny: ['reject_once', 'reject_always'],
  cancelled: [],
};

function isUpdate(message: AnyMessage): boolean {
  return 'method' in message && message.method === 'session/update' && !('id' in message);
}

/** Parameters are read field by field where they are used; what is not known here must not make them invalid. */
function unchecked(params: unknown): unknown {
  return params;
}
