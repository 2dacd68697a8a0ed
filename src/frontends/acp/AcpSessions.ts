import type {
  AgentContext,
  CancelNotification,
  CloseSessionRequest,
  DeleteSessionRequest,
  ForkSessionRequest,
  ForkSessionResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  ResumeSessionRequest,
  ResumeSessionResponse,
  SessionConfigOption,
  SessionModeState,
  SetSessionConfigOptionRequest,
  SetSessionConfigOptionResponse,
  SetSessionModeRequest,
} from '@agentclientprotocol/sdk/unstable';
import type { Catalogue } from '../../catalogue/words.js';
import type { Conversations } from '../../coordinator/Conversations.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { AcpSession } from './AcpSession.js';
import { changeChoice, describeChoices, describeModes, MODE } from './sessionChoices.js';
import { describeListed, readCursor, readPlace, type SessionPlace } from './sessionRequests.js';
import { showHistory, type ViewTarget } from './view/ConversationView.js';

/** Sessions of a page of the list. */
const PAGE = 50;

/** Reasons why nothing may start yet. The session opens all the same, and each prompt says why. */
const REFUSALS: ReadonlySet<string> = new Set(['FOLDER_NOT_TRUSTED', 'NESTED']);

export interface AcpSessionsOptions {
  readonly client: Pick<AgentContext, 'notify' | 'request'>;
  readonly clientName: string;
  readonly hasNotices: boolean;
  readonly words: Catalogue;
  readonly as?: string | undefined;
}

/** The choices that a session offers. */
interface Described {
  readonly configOptions: SessionConfigOption[];
  readonly modes: SessionModeState;
}

/** An answer, and the session that it names to the client. */
export interface NamedAnswer<Answer> {
  readonly answer: Answer;
  readonly session: AcpSession;
}

/** The sessions of one client: a request of the protocol is a method here. All reject with HuddleError. */
export class AcpSessions {
  readonly #conversations: Conversations;
  readonly #options: AcpSessionsOptions;
  readonly #sessions = new Map<string, AcpSession>();
  /** Ends of the openings that are under way. */
  readonly #openings = new Map<string, Promise<void>>();

  constructor(conversations: Conversations, options: AcpSessionsOptions) {
    this.#conversations = conversations;
    this.#options = options;
  }

  async create(request: NewSessionRequest): Promise<NamedAnswer<NewSessionResponse>> {
    const place = readPlace(request, this.#options.words);
    const session = this.#add(await this.#conversations.create(place.folder), place);
    return { session, answer: { sessionId: session.id, ...(await this.#describe(session)) } };
  }

  async load(request: LoadSessionRequest): Promise<NamedAnswer<LoadSessionResponse>> {
    const opened = await this.resume(request);
    try {
      await this.#showHistory(opened.session);
    } catch (error) {
      await this.closeOne(request);
      throw error;
    }
    return opened;
  }

  /** Opens a session again. One opening waits for the other: a client may ask again before it is answered. */
  async resume(request: ResumeSessionRequest): Promise<NamedAnswer<ResumeSessionResponse>> {
    const place = readPlace(request, this.#options.words);
    const opened = (this.#openings.get(request.sessionId) ?? Promise.resolve()).then(() =>
      this.#reopen(request.sessionId as ConversationId, place),
    );
    const settled = opened.then(ignore, ignore);
    this.#openings.set(request.sessionId, settled);
    await settled;
    if (this.#openings.get(request.sessionId) === settled) this.#openings.delete(request.sessionId);
    return opened;
  }

  async #reopen(id: ConversationId, place: SessionPlace): Promise<NamedAnswer<ResumeSessionResponse>> {
    await this.#sessions.get(id)?.close();
    const session = this.#add(id, place);
    try {
      await session.open().catch(orRefused);
      return { session, answer: await this.#describe(session) };
    } catch (error) {
      this.#sessions.delete(id);
      throw error;
    }
  }

  async fork(request: ForkSessionRequest): Promise<NamedAnswer<ForkSessionResponse>> {
    const place = readPlace(request, this.#options.words);
    const { id } = await this.#conversations.fork(request.sessionId as ConversationId);
    const session = this.#add(id, place);
    return { session, answer: { sessionId: id, ...(await this.#describe(session)) } };
  }

  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const from = readCursor(cursor, this.#options.words);
    const { summaries, next } = await this.#conversations.list({
      limit: PAGE,
      folder: cwd ?? undefined,
      from,
    });
    return { sessions: summaries.map(describeListed), nextCursor: next?.toString() };
  }

  async closeOne({ sessionId }: CloseSessionRequest): Promise<object> {
    const session = this.#require(sessionId);
    this.#sessions.delete(sessionId);
    await session.close();
    return {};
  }

  /** Deletes a session permanently. An unknown one is deleted already. */
  async delete({ sessionId }: DeleteSessionRequest): Promise<object> {
    await this.#sessions.get(sessionId)?.close();
    this.#sessions.delete(sessionId);
    try {
      await this.#conversations.delete(sessionId as ConversationId);
    } catch (error) {
      if (!isError(error, 'UNKNOWN_CONVERSATION')) throw error;
    }
    return {};
  }

  async setOption(request: SetSessionConfigOptionRequest): Promise<SetSessionConfigOptionResponse> {
    const { sessionId, configId } = request;
    const session = this.#require(sessionId);
    const { folder, choices } = session;
    const { team } = await this.#conversations.teamOf(folder, choices);
    const changed = changeChoice(team, choices, request, this.#options.words);
    const { configOptions, modes } = await this.#describe({ folder, choices: changed });
    session.choices = changed;
    const { currentModeId } = modes;
    if (configId === MODE)
      await this.#targetOf(sessionId).update({ sessionUpdate: 'current_mode_update', currentModeId });
    return { configOptions };
  }

  /** The same as the option `mode`, for clients that know modes only. */
  async setMode({ sessionId, modeId }: SetSessionModeRequest): Promise<object> {
    const { configOptions } = await this.setOption({ sessionId, configId: MODE, value: modeId });
    await this.#targetOf(sessionId).update({ sessionUpdate: 'config_option_update', configOptions });
    return {};
  }

  prompt({ sessionId, prompt }: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    return this.#require(sessionId).prompt(prompt, signal);
  }

  /** A notification has no answer, so one about a session that is not here goes unheard. */
  async cancel({ sessionId }: CancelNotification): Promise<void> {
    await this.#sessions.get(sessionId)?.cancel();
  }

  async cancelAll(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.cancel()));
  }

  /** Closes everything, whatever cannot be closed. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#sessions.values()].map((session) => session.close()));
    await this.#conversations.close();
  }

  async #showHistory({ id, folder }: AcpSession): Promise<void> {
    const { reader } = await this.#conversations.read(id);
    try {
      await showHistory(reader.read(), this.#targetOf(id), { folder, words: this.#options.words });
    } finally {
      await reader.close();
    }
  }

  #add(id: ConversationId, place: SessionPlace): AcpSession {
    const conversations = this.#conversations;
    const target = this.#targetOf(id);
    const session = new AcpSession(id, { ...this.#options, conversations, target, place });
    this.#sessions.set(id, session);
    return session;
  }

  #require(id: string): AcpSession {
    const session = this.#sessions.get(id);
    if (session !== undefined) return session;
    throw new HuddleError(
      'UNKNOWN_CONVERSATION',
      this.#options.words.acp.unknownSession(sanitizeToOneLine(id)),
    );
  }

  /** The choices with the team of now, of which some may not be held to reading. */
  async #describe({ folder, choices }: Pick<AcpSession, 'folder' | 'choices'>): Promise<Described> {
    const { words } = this.#options;
    const { team } = await this.#conversations.teamOf(folder, choices);
    return { configOptions: describeChoices(team, choices, words), modes: describeModes(choices, words) };
  }

  #targetOf(sessionId: string): ViewTarget {
    const { client, hasNotices } = this.#options;
    return {
      hasNotices,
      update: (update) => client.notify('session/update', { sessionId, update }),
      askPermission: (question, signal) =>
        client.request(
          'session/request_permission',
          { ...question, sessionId },
          { cancellationSignal: signal, stopWaitingOnCancel: true },
        ),
    };
  }
}

function ignore(): void {
  // Whoever asked for it hears how it ended.
}

function orRefused(error: unknown): void {
  if (error instanceof HuddleError && REFUSALS.has(error.code)) return;
  throw error;
}

function isError(error: unknown, code: string): boolean {
  return error instanceof HuddleError && error.code === code;
}
