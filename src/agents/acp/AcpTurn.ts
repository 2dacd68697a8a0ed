import type { TurnRequest } from '../AgentAdapter.js';
import { sessionEvents } from '../dialect/argumentValue.js';
import type { ReaderEvent, TurnEvent, Verdict } from '../dialect/Dialect.js';
import { fieldOf, isRecord } from '../dialect/records.js';
import { summarizeValue } from '../dialect/summarizeValue.js';
import { putSystemTextInPrompt, SYSTEM_TEXT_IN_PROMPT } from '../dialect/systemTextInPrompt.js';
import { AnswerText } from '../process/AnswerText.js';
import { createEventRepair } from '../process/turnOutput.js';
import type { AcpAgent, AcpTurnListener } from './AcpAgent.js';
import { AcpRequests } from './AcpRequests.js';
import { EventQueue } from './EventQueue.js';
import { createUpdateReader } from './events.js';
import { isAnswer } from './failures.js';
import type { KnownAcpAgent } from './knownAgents.js';
import { configureSession, openSession, readCapabilities } from './openSession.js';
import type { PermissionOutcome } from './permissionOutcome.js';
import { readStopReason, readUsage } from './promptAnswer.js';

export interface AcpTurnOptions {
  readonly request: TurnRequest;
  readonly known: KnownAcpAgent | undefined;
  /** While somebody else is to act, the agent's time stands still. */
  readonly holdTime: () => () => void;
}

/** One prompt to one agent: what goes in, what comes back, and what it asks for on the way. */
export class AcpTurn implements AcpTurnListener {
  readonly events = new EventQueue<TurnEvent>();
  readonly answer = new AnswerText();
  readonly #options: AcpTurnOptions;
  readonly #reader = createUpdateReader();
  readonly #repair = createEventRepair();
  readonly #requests: AcpRequests;
  /** Aborted when the turn is over, or on its way there. */
  readonly #withdrawal = new AbortController();
  /** Files it wrote through us and may yet tell us about. */
  readonly #writtenFiles = new Set<string>();
  #agent: AcpAgent | undefined;
  #sessionId: string | undefined;

  constructor(options: AcpTurnOptions) {
    this.#options = options;
    this.#requests = new AcpRequests({
      ...options,
      waitUntilTold: () => this.events.waitUntilRead(),
      say: (event) => this.#say([event]),
      withdrawn: this.#withdrawal.signal,
    });
  }

  /** The agent has been asked, so it may have done something. */
  get hasBegun(): boolean {
    return this.#agent !== undefined;
  }

  /** Set while the agent works on the prompt: history that comes with an opened session is not part of the turn. */
  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  /** The whole turn. `undefined`: the agent did not say how it ended. Throws AcpTurnError, and the agent's own errors. */
  async run(agent: AcpAgent, initialized: unknown): Promise<Verdict | undefined> {
    const { request, known } = this.#options;
    const capabilities = readCapabilities(initialized);
    const session = await openSession(agent, capabilities, request);
    await configureSession(agent, session, request, known);
    this.#say(sessionEvents(session.sessionId));
    this.#agent = agent;
    this.#sessionId = session.sessionId;
    agent.workFor(this);
    try {
      const isTold = !request.systemFlag || capabilities.takesSystemText || !session.isNew;
      if (!isTold) this.#say([SYSTEM_TEXT_IN_PROMPT]);
      const { prompt } = isTold ? request : putSystemTextInPrompt(request);
      const answer = await agent
        .request('session/prompt', {
          sessionId: session.sessionId,
          prompt: [{ type: 'text', text: prompt }],
        })
        .catch((error: unknown) => {
          if (isAnswer(error)) this.#noteKept();
          throw error;
        });
      this.#finish(answer);
      const verdict = readStopReason(answer);
      if (verdict?.ok === false) this.#noteKept();
      return verdict;
    } finally {
      agent.workFor(undefined);
      this.withdraw();
    }
  }

  /** Asks the agent to stop. False when there is nothing yet that it could stop. */
  cancel(): boolean {
    this.withdraw();
    if (this.#agent === undefined) return false;
    this.#agent.notify('session/cancel', { sessionId: this.#sessionId });
    return true;
  }

  /** Nobody has to answer its questions any more. */
  withdraw(): void {
    this.#withdrawal.abort();
  }

  onUpdate(update: unknown): void {
    this.#say(this.#reader.read(update));
  }

  onQuestion(params: unknown, signal: AbortSignal): Promise<PermissionOutcome> {
    const call = this.#reader.tools.note(recordIn(params, 'toolCall'));
    return this.#requests.answer(call, params, signal);
  }

  async onRead(params: unknown): Promise<{ content: string }> {
    return { content: await this.#requests.read(params) };
  }

  async onWrite(params: unknown): Promise<object> {
    const { path, isNew } = await this.#requests.write(params);
    this.#emit({ type: 'file-change', path: summarizeValue(path), change: isNew ? 'add' : 'update' });
    this.#writtenFiles.add(summarizeValue(path));
    return {};
  }

  /** The agent itself has ended the turn without an answer: what its session then holds is known of some. */
  #noteKept(): void {
    this.#say(sessionEvents(this.#sessionId, { holdsPrompt: this.#options.known?.keepsPrompt }));
  }

  #finish(answer: unknown): void {
    this.#say(this.#reader.end());
    const usage = readUsage(answer, this.#reader.reported, this.#options.request.sessionTotals);
    if (usage !== undefined) this.#say([usage]);
  }

  #say(events: readonly ReaderEvent[]): void {
    for (const event of events) {
      if (event.type === 'tool-end') this.#requests.endCall(event.toolId);
      const isKnown = event.type === 'file-change' && this.#writtenFiles.delete(event.path);
      if (!isKnown) this.#emit(event);
    }
  }

  #emit(event: ReaderEvent): void {
    this.events.push(this.answer.add(this.#repair(event)));
  }
}

function recordIn(params: unknown, field: string): Readonly<Record<string, unknown>> {
  const value = fieldOf(params, field);
  return isRecord(value) ? value : {};
}
