import {
  type AgentConnection,
  agent,
  type JsonRpcId,
  methods,
  RequestError,
} from '@agentclientprotocol/sdk/unstable';
import { describeError } from '../../catalogue/errors.js';
import type { Catalogue } from '../../catalogue/words.js';
import type { Conversations } from '../../coordinator/Conversations.js';
import { HuddleError } from '../../models/errors.js';
import { defer } from '../../utils/defer.js';
import type { AcpSessions, NamedAnswer } from './AcpSessions.js';
import { type AgentStream, describeAgent } from './AgentStream.js';

/** Time in which everything is stopped at the end. */
const GRACE_MILLISECONDS = 2_500;

const NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;

/** Numbers of the protocol by our codes; all others are `INTERNAL`. */
const NUMBERS: Readonly<Record<string, number>> = {
  UNKNOWN_CONVERSATION: NOT_FOUND,
  INVALID_REQUEST: INVALID_PARAMS,
  INVALID_OPTION: INVALID_PARAMS,
  EMPTY_MESSAGE: INVALID_PARAMS,
  UNKNOWN_SPEAKER: INVALID_PARAMS,
  NO_FOLDER: INVALID_PARAMS,
  NO_READER: INVALID_PARAMS,
  OTHER_TEAM: INVALID_PARAMS,
  TEAM_FILE_INVALID: INVALID_PARAMS,
  TEAM_FILE_MISSING: INVALID_PARAMS,
};

/** Options of `serveAcp`. */
export interface AcpOptions {
  /** Called after the client has said who it is, and again for the next request if it failed. */
  openConversations(): Promise<Conversations>;
  /** Name of the person who speaks. Default: the first person of the team. */
  readonly as?: string | undefined;
  /** The language of what the client shows. */
  readonly words: Catalogue;
  /** Hears of errors that are none of ours to expect; the client is told that there was one. */
  onUnexpected(error: unknown): void;
}

/** Serves one client and its sessions. Nothing but the protocol is loaded before it has said who it is. */
export class AcpServer {
  readonly #options: AcpOptions;
  readonly #stream: AgentStream;
  readonly #connection: AgentConnection;
  /** Settled when the answers that name sessions again are written. */
  readonly #naming = new Map<string, Promise<void>>();
  #hasNotices = false;
  /** The name by which the client introduced itself, which it need not. */
  #clientName = 'editor';
  #opening: Promise<AcpSessions> | undefined;
  #stopping: Promise<void> | undefined;
  #deadline: Promise<void> | undefined;

  constructor(stream: AgentStream, options: AcpOptions) {
    this.#options = options;
    this.#stream = stream;
    stream.onInputEnd = () => this.#cancel();
    const { initialize, session } = methods.agent;
    this.#connection = agent({ name: 'huddle' })
      .onRequest(initialize, ({ params: { clientCapabilities, clientInfo } }) => {
        this.#clientName = clientInfo?.name ?? this.#clientName;
        this.#hasNotices = clientCapabilities?.session?.notices != null;
        // After the answer: a client waits for it before it shows anything.
        setImmediate(() => this.#sessions().catch(() => undefined));
        return describeAgent();
      })
      .onRequest(session.new, ({ params, requestId }) =>
        this.#name(requestId, (sessions) => sessions.create(params)),
      )
      .onRequest(session.load, ({ params, requestId }) =>
        this.#nameAgain(params.sessionId, requestId, (sessions) => sessions.load(params)),
      )
      .onRequest(session.resume, ({ params, requestId }) =>
        this.#nameAgain(params.sessionId, requestId, (sessions) => sessions.resume(params)),
      )
      .onRequest(session.fork, ({ params, requestId }) =>
        this.#name(requestId, (sessions) => sessions.fork(params)),
      )
      .onRequest(session.list, ({ params }) => this.#ask((sessions) => sessions.list(params)))
      .onRequest(session.close, ({ params }) => this.#ask((sessions) => sessions.closeOne(params)))
      .onRequest(session.delete, ({ params }) => this.#ask((sessions) => sessions.delete(params)))
      .onRequest(session.setConfigOption, ({ params }) => this.#ask((sessions) => sessions.setOption(params)))
      .onRequest(session.setMode, ({ params }) => this.#ask((sessions) => sessions.setMode(params)))
      .onRequest(session.prompt, async ({ params, signal }) => {
        await this.#naming.get(params.sessionId);
        return this.#ask((sessions) => sessions.prompt(params, signal));
      })
      .onNotification(session.cancel, ({ params }) => this.#ask((sessions) => sessions.cancel(params)))
      .connect(this.#stream);
  }

  /** Resolves when the client is gone and nothing runs any more. */
  get closed(): Promise<void> {
    return this.#connection.closed.then(() => this.#stop());
  }

  close(): void {
    void this.#stop().then(() => {
      this.#connection.close();
      this.#stream.close();
    });
  }

  /** Answers with a session, whose first update comes after the answer: clients drop what is about a session they do not know. */
  async #name<Answer>(
    requestId: JsonRpcId,
    work: (sessions: AcpSessions) => Promise<NamedAnswer<Answer>>,
  ): Promise<Answer> {
    const { answer, session } = await this.#ask(work);
    // A client that is gone meanwhile needs no commands.
    this.#stream.afterAnswer(requestId, () => void session.announceCommands().catch(() => undefined));
    return answer;
  }

  /** The same of a session whose id the client knows: a prompt that does not wait for the answer is worked on after it. */
  #nameAgain<Answer>(
    sessionId: string,
    requestId: JsonRpcId,
    work: (sessions: AcpSessions) => Promise<NamedAnswer<Answer>>,
  ): Promise<Answer> {
    const { promise, resolve } = defer<void>();
    this.#naming.set(sessionId, promise);
    this.#stream.afterAnswer(requestId, () => {
      if (this.#naming.get(sessionId) === promise) this.#naming.delete(sessionId);
      resolve();
    });
    return this.#name(requestId, work);
  }

  async #ask<Answer>(work: (sessions: AcpSessions) => Promise<Answer>): Promise<Answer> {
    try {
      return await work(await this.#sessions());
    } catch (error) {
      if (!(error instanceof HuddleError)) this.#options.onUnexpected(error);
      throw toRequestError(error, this.#options.words);
    }
  }

  #sessions(): Promise<AcpSessions> {
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<AcpSessions> {
    const [{ AcpSessions }, conversations] = await Promise.all([
      import('./AcpSessions.js'),
      this.#options.openConversations(),
    ]);
    return new AcpSessions(conversations, {
      client: this.#connection.client,
      clientName: this.#clientName,
      hasNotices: this.#hasNotices,
      as: this.#options.as,
      words: this.#options.words,
    });
  }

  /** Stops what runs, so that the client has all its answers soon. Resolves when it is too late for them. */
  #cancel(): Promise<void> {
    // What it could not stop, closing does.
    this.#opening?.then((sessions) => sessions.cancelAll()).catch(() => undefined);
    return this.#tooLate();
  }

  /** Closes what is open, once. */
  #stop(): Promise<void> {
    this.#stopping ??= this.#closeSessions();
    return this.#stopping;
  }

  async #closeSessions(): Promise<void> {
    const closed = this.#opening?.then((sessions) => sessions.close()).catch(() => undefined);
    await Promise.race([closed, this.#tooLate()]);
  }

  #tooLate(): Promise<void> {
    this.#deadline ??= new Promise((resolve) => setTimeout(resolve, GRACE_MILLISECONDS).unref());
    return this.#deadline;
  }
}

/** An error as clients show it: Huddle's own sentence, and the code for programs. */
function toRequestError(error: unknown, words: Catalogue): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof HuddleError) {
    const { code } = error;
    return new RequestError(NUMBERS[code] ?? INTERNAL, describeError(error, words), { code });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new RequestError(INTERNAL, words.cli.unexpected(message), { code: 'UNEXPECTED' });
}
