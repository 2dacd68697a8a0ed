import type { PermissionAnswer, PermissionQuestion, TurnRequest } from '../AgentAdapter.js';
import { sessionEvents } from '../argumentValue.js';
import type { ReaderEvent, TurnEvent, Verdict } from '../Dialect.js';
import { AnswerText } from '../process/AnswerText.js';
import { createEventRepair } from '../process/turnOutput.js';
import { fieldOf, isRecord, listOf, numberOf, textOf } from '../records.js';
import { summarize } from '../summarize.js';
import { putSystemTextInPrompt, SYSTEM_TEXT_IN_PROMPT } from '../systemTextInPrompt.js';
import type { AcpAgent, TurnListener } from './AcpAgent.js';
import { EventQueue } from './EventQueue.js';
import { createUpdateReader } from './events.js';
import { isAnswer } from './failures.js';
import type { KnownAcpAgent } from './knownAgents.js';
import { configureSession, openSession, readCapabilities } from './openSession.js';
import { answerWith, createQuestion, type PermissionOutcome } from './permissionQuestion.js';
import { readStopReason, readUsage } from './promptAnswer.js';
import type { ToolCall } from './toolCalls.js';
import { FileRefusedError, WorkingFolder } from './WorkingFolder.js';

export interface AcpTurnOptions {
  readonly request: TurnRequest;
  readonly known: KnownAcpAgent | undefined;
  readonly maxAnswerBytes?: number;
  /** While somebody else is to act, the agent's time stands still. */
  readonly holdTime: () => () => void;
}

/** One prompt to one agent: what goes in, what comes back, and what it asks for on the way. */
export class AcpTurn implements TurnListener {
  readonly events = new EventQueue<TurnEvent>();
  readonly answer: AnswerText;
  readonly #options: AcpTurnOptions;
  readonly #reader = createUpdateReader();
  readonly #repair = createEventRepair();
  readonly #folder: WorkingFolder;
  /** Aborted when the turn is over, or on its way there. */
  readonly #withdrawal = new AbortController();
  /** Files that a person or the team file let the agent write in this turn. */
  readonly #allowedFiles = new Set<string>();
  /** Files it wrote through us and may yet tell us about. */
  readonly #writtenFiles = new Set<string>();
  #agent: AcpAgent | undefined;
  #sessionId: string | undefined;

  constructor(options: AcpTurnOptions) {
    this.#options = options;
    this.answer = new AnswerText(options.maxAnswerBytes);
    this.#folder = new WorkingFolder(options.request.workingFolder);
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

  async onQuestion(params: unknown, signal: AbortSignal): Promise<PermissionOutcome> {
    const call = this.#reader.tools.note(recordIn(params, 'toolCall'));
    const answer = await this.#ask(call, signal);
    return answerWith(answer, listOf(params, 'options'));
  }

  async onRead(params: unknown): Promise<{ content: string }> {
    const part = { line: numberOf(params, 'line'), limit: numberOf(params, 'limit') };
    return { content: await this.#folder.readText(textOf(params, 'path') ?? '', part) };
  }

  async onWrite(params: unknown): Promise<object> {
    const path = textOf(params, 'path') ?? '';
    await this.#requireLeave(path);
    const { isNew } = await this.#folder.writeText(path, textOf(params, 'content') ?? '');
    this.#emit({ type: 'file-change', path: summarize(path), change: isNew ? 'add' : 'update' });
    this.#writtenFiles.add(summarize(path));
    return {};
  }

  /** What the permission allows is not asked for; but a deny list is always looked at. */
  async #requireLeave(path: string): Promise<void> {
    const { permission, deny = [] } = this.#options.request;
    const { file } = await this.#folder.locateInside(path);
    if (this.#allowedFiles.has(file) || (permission !== 'read' && deny.length === 0)) return;
    const toolCall = { toolCallId: `write ${path}`, kind: 'edit', title: path, locations: [{ path }] };
    const answer = await this.#ask(this.#reader.tools.note(toolCall), this.#withdrawal.signal);
    if (answer !== 'allow') throw new FileRefusedError(path, 'may not be written by this member');
  }

  async #ask(call: ToolCall, signal: AbortSignal): Promise<PermissionAnswer> {
    const withdrawn = AbortSignal.any([signal, this.#withdrawal.signal]);
    const question = await createQuestion(call, this.#folder, withdrawn);
    const answer = await this.#decide(question);
    if (answer === 'allow') await this.#rememberFiles(question);
    return answer;
  }

  async #decide(question: PermissionQuestion): Promise<PermissionAnswer> {
    const { request, holdTime } = this.#options;
    const { requestId, name, input, signal } = question;
    if (signal.aborted) return 'cancelled';
    if (request.askPermission === undefined) {
      this.#say([{ type: 'permission-request', requestId, name, input }]);
      return 'deny';
    }
    const goOn = holdTime();
    try {
      // What the agent said before it asked is told before the question is.
      await Promise.race([this.events.waitUntilRead(), cancelledBy(signal)]);
      if (signal.aborted) return 'cancelled';
      return await Promise.race([request.askPermission(question), cancelledBy(signal)]);
    } finally {
      goOn();
    }
  }

  async #rememberFiles({ paths }: PermissionQuestion): Promise<void> {
    for (const path of paths) this.#allowedFiles.add((await this.#folder.locate(path)).file);
  }

  /** The agent itself has ended the turn without an answer: what its session then holds is known of some. */
  #noteKept(): void {
    this.#say(sessionEvents(this.#sessionId, { holdsPrompt: this.#options.known?.keepsPrompt }));
  }

  #finish(answer: unknown): void {
    this.#say(this.#reader.end());
    const usage = readUsage(answer, this.#reader.sessionUsd, this.#options.request.sessionTotals);
    if (usage !== undefined) this.#say([usage]);
  }

  #say(events: readonly ReaderEvent[]): void {
    for (const event of events) {
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

function cancelledBy(signal: AbortSignal): Promise<'cancelled'> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('cancelled'), { once: true });
  });
}
