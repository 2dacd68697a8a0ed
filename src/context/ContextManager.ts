import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { type AgentType, normalizeAgentType } from '../models/AgentConfig.js';
import type { ConversationMessage, NewMessage } from '../models/ConversationMessage.js';
import { InvalidOptionError, UnknownMessageError } from '../models/errors.js';
import { type MessageId, messageNumber } from '../models/ids.js';
import { DEFAULT_CONTEXT_WINDOW_SIZE, DEFAULT_MAX_BYTES, MAX_TEAM_TASK_BYTES } from '../models/textLimits.js';
import { truncateToBytes, utf8Length } from '../utils/bytes.js';
import { defaultLogger, type Logger } from '../utils/logger.js';
import { collectAssemblers, fallbackAssembler } from './assemblers/builtInAssemblers.js';
import { completeMessage, requireMessage } from './completeMessage.js';
import type { IContextAssembler } from './IContextAssembler.js';
import { MessageList } from './MessageList.js';
import { type MemberView, NOTE_SPEAKER, planMessages, viewConversation } from './memberView.js';
import { readSnapshot } from './snapshot.js';
import type {
  AssemblerInput,
  AssemblerOutput,
  ContextManagerOptions,
  ContextOptions,
  ContextSnapshot,
  ExplainedPrompt,
  IContextProvider,
  MessageQuery,
  PromptGuard,
  PromptPlan,
} from './types.js';

/** The index of a message that was there and made room for newer ones. */
const FORGOTTEN = -1;

/** The single source of truth about a conversation: its messages, its task, and what each member sees of them. */
export class ContextManager implements IContextProvider {
  readonly #messages: MessageList;
  /** Names of all speakers. */
  #speakerNames = new Set<string>();
  #teamTask: string | null = null;
  #nextMessageNumber = 1;
  readonly #options: ContextManagerOptions;
  readonly #contextWindowSize: number;
  readonly #maxBytes: number;
  readonly #assemblers: ReadonlyMap<AgentType, IContextAssembler>;
  readonly #logger: Logger;
  readonly #clock: () => number;

  constructor(options: ContextManagerOptions = {}) {
    this.#options = options;
    this.#contextWindowSize = readCount(
      'contextWindowSize',
      options.contextWindowSize,
      DEFAULT_CONTEXT_WINDOW_SIZE,
    );
    this.#maxBytes = readCount('maxBytes', options.maxBytes, DEFAULT_MAX_BYTES);
    this.#messages = new MessageList(
      readCount('maxMessages', options.maxMessages, Number.POSITIVE_INFINITY, 1),
    );
    for (const [agent, size] of Object.entries(options.windowSizes ?? {}))
      readCount(`windowSizes.${agent}`, size, 0);
    this.#assemblers = collectAssemblers(options.assemblers);
    this.#logger = options.logger ?? options.output ?? defaultLogger;
    this.#clock = options.clock ?? Date.now;
  }

  /** The message as `addMessage` would keep it, id included; nothing changes. For callers that store it first. */
  previewMessage(message: NewMessage): ConversationMessage {
    requireMessage(message);
    return completeMessage(message, `msg-${this.#nextMessageNumber}` as MessageId, this.#clock);
  }

  addMessage(message: NewMessage): ConversationMessage {
    const complete = this.previewMessage(message);
    this.#append(complete);
    this.#nextMessageNumber++;
    this.#logger.debug?.(`[ContextManager] Message added: ${complete.id}`);
    this.#callHook('onMessageAdded', complete);
    return complete;
  }

  /** Adds a message from a log under the id it has there, as `importSnapshot` would; no hook is called. */
  restoreMessage(message: ConversationMessage): void {
    this.#append(completeMessage(message, message.id, this.#clock));
    this.#nextMessageNumber = Math.max(this.#nextMessageNumber, messageNumber(message.id) + 1);
  }

  getMessages(): ConversationMessage[] {
    return this.#messages.toArray();
  }

  getLatestMessage(): ConversationMessage | null {
    return this.#messages.at(this.#messages.length - 1) ?? null;
  }

  getMessage(id: string): ConversationMessage | null {
    return this.#messages.at(this.#messages.indexOf(id)) ?? null;
  }

  findMessages(query: MessageQuery): ConversationMessage[] {
    const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = query;
    return this.getMessages().filter(({ speaker: { roleId, roleName }, timestamp }) => {
      const isFrom = query.speaker === undefined || [roleId, roleName].includes(query.speaker);
      return isFrom && timestamp >= since && timestamp <= until;
    });
  }

  setTeamTask(task: string | null): void {
    if (task !== null && typeof task !== 'string') throw new TypeError('Team task must be a string or null');
    this.#teamTask = task === null ? null : this.#limitTeamTask(task);
    this.#callHook('onTeamTaskChanged', this.#teamTask);
  }

  clearTeamTask(): void {
    this.setTeamTask(null);
  }

  getTeamTask(): string | null {
    return this.#teamTask;
  }

  getContextForAgent(agentId: string, agentType: AgentType, options: ContextOptions = {}): AssemblerInput {
    return this.#createInput(this.#viewFor(agentId, agentType, options), options);
  }

  assemblePrompt(agentType: AgentType, input: AssemblerInput): AssemblerOutput {
    return this.#assemblerFor(agentType).assemble(input);
  }

  /** Builds one turn's context, prompt and plan. The plan is for explanations, not for every turn. */
  explainPrompt(agentId: string, agentType: AgentType, options: ContextOptions = {}): ExplainedPrompt {
    const view = this.#viewFor(agentId, agentType, options);
    const input = this.#createInput(view, options);
    const assembler = this.#assemblerFor(agentType);
    const output = assembler.assemble(input);
    const plan: PromptPlan = {
      agentId,
      agentType: normalizeAgentType(agentType),
      maxBytes: input.maxBytes,
      totalBytes: utf8Length(output.prompt) + utf8Length(output.systemFlag ?? ''),
      sections: output.trim?.sections ?? assembler.measureSections?.(input) ?? null,
      messages: view === null ? [] : planMessages(this.#messages, view, output.trim?.droppedMessages ?? 0),
      cutBytes: output.trim?.cutBytes ?? 0,
    };
    return { input, output, plan };
  }

  clear(): void {
    this.#replaceState([], null);
  }

  exportSnapshot(): ContextSnapshot {
    const messages: ConversationMessage[] = JSON.parse(JSON.stringify(this.#messages.toArray()));
    return { messages, teamTask: this.#teamTask, timestamp: this.#clock(), version: 1 };
  }

  importSnapshot(snapshot: ContextSnapshot): void {
    const { messages, teamTask } = readSnapshot(snapshot, this.#clock);
    this.#replaceState(messages, teamTask === null ? null : this.#limitTeamTask(teamTask));
  }

  #append(message: ConversationMessage): void {
    this.#messages.append(message);
    this.#speakerNames.add(message.speaker.roleName);
  }

  #replaceState(messages: readonly ConversationMessage[], teamTask: string | null): void {
    this.#messages.replaceAll(messages);
    this.#speakerNames = new Set(messages.map(({ speaker }) => speaker.roleName));
    this.#teamTask = teamTask;
    this.#nextMessageNumber =
      messages.reduce((highest, { id }) => Math.max(highest, messageNumber(id)), 0) + 1;
    this.#callHook('onTeamTaskChanged', teamTask);
    this.#callHook('onReset');
  }

  #limitTeamTask(task: string): string {
    const bytes = utf8Length(task);
    if (bytes <= MAX_TEAM_TASK_BYTES) return task.toWellFormed();
    const truncated = truncateToBytes(task, MAX_TEAM_TASK_BYTES).toWellFormed();
    this.#logger.warn?.(
      `[ContextManager] TeamTask exceeded 5KB limit (${bytes} bytes), truncated to ${utf8Length(truncated)} bytes`,
    );
    return truncated;
  }

  /** Null in a conversation without messages. */
  #viewFor(agentId: string, agentType: AgentType, options: ContextOptions): MemberView | null {
    const size = this.#windowSize(agentId, agentType, options);
    const current = this.#indexOf('currentMessageId', options.currentMessageId) ?? this.#messages.length - 1;
    const trigger = this.#indexOf('triggerMessageId', options.triggerMessageId);
    const lastSeen = this.#indexOf('lastSeenMessageId', options.lastSeenMessageId);
    if (this.#messages.length === 0) return null;
    if (current === FORGOTTEN)
      throw new UnknownMessageError('currentMessageId', options.currentMessageId ?? '');
    const view = viewConversation(this.#messages, {
      agentId,
      agentName: options.agentName,
      size,
      visibility: options.visibility ?? 'all',
      current,
      trigger: trigger === FORGOTTEN ? undefined : trigger,
      lastSeen,
      missed: options.missedMessages?.map(({ first, last }) => ({
        first: this.#indexOf('missedMessages', first) ?? FORGOTTEN,
        last: this.#indexOf('missedMessages', last) ?? FORGOTTEN,
      })),
      withTypes: options.guard === 'fence',
      ignoresLater: options.ignoresLater,
      wasCutOff: options.wasCutOff,
    });
    if (view.duplicate !== null) this.#logger.debug?.('[ContextManager] Deduplicated context for AI→AI');
    return view;
  }

  /** Exactly the documented keys, and a further one only where its option was used. */
  #createInput(view: MemberView | null, options: ContextOptions): AssemblerInput {
    const input = {
      contextMessages: view?.contextMessages ?? [],
      currentMessage: view?.currentMessage ?? '',
      teamTask: options.omitsTeamTask ? null : this.#teamTask,
      systemInstruction: options.systemInstruction,
      instructionFileText: options.instructionFileText,
      maxBytes: readCount('maxBytesOverride', options.maxBytesOverride, this.#maxBytes),
    };
    const guard = this.#createGuard(options, view?.window.holdsCurrent === true);
    const isPinned = view !== null && view.window.pinned !== null;
    const { files } = options;
    return {
      ...input,
      ...(files !== undefined && { files }),
      ...(isPinned && { firstIsPinned: true }),
      ...(guard && { guard }),
    };
  }

  #createGuard(
    { guard = 'off', memberNames = [], currentMessageId }: ContextOptions,
    isNote: boolean,
  ): PromptGuard | null {
    if (guard === 'off') return null;
    if (guard === 'on') return { mode: 'on', memberNames: [...memberNames, ...this.#speakerNames] };
    const current =
      currentMessageId === undefined ? this.getLatestMessage() : this.getMessage(currentMessageId);
    const nonce = this.#options.nonce?.() ?? randomBytes(8).toString('hex');
    if (isNote) return { mode: 'fence', nonce, currentSpeaker: { from: NOTE_SPEAKER, type: 'system' } };
    if (current === null) return { mode: 'fence', nonce };
    const { roleName, type } = current.speaker;
    return { mode: 'fence', nonce, currentSpeaker: { from: roleName, type } };
  }

  /** A member that resumes its own session must not miss anything, so only a window asked for by name limits it. */
  #windowSize(agentId: string, agentType: AgentType, options: ContextOptions): number {
    const usual = this.#ownWindowSize(agentId, agentType) ?? this.#contextWindowSize;
    const size = options.lastSeenMessageId === undefined ? usual : Number.POSITIVE_INFINITY;
    return readCount('windowSizeOverride', options.windowSizeOverride, size);
  }

  #ownWindowSize(agentId: string, agentType: AgentType): number | undefined {
    const { windowSizes } = this.#options;
    if (windowSizes === undefined) return undefined;
    const keys = [agentId, normalizeAgentType(agentType), agentType];
    const own = keys.find((key) => Object.hasOwn(windowSizes, key));
    return own === undefined ? undefined : windowSizes[own];
  }

  #indexOf(option: string, id: string | undefined): number | undefined {
    if (id === undefined) return undefined;
    const index = this.#messages.indexOf(id);
    if (index === -1 && !this.#messages.hasForgotten(id)) throw new UnknownMessageError(option, id);
    return index;
  }

  #assemblerFor(agentType: AgentType): IContextAssembler {
    const normalizedType = normalizeAgentType(agentType);
    const assembler = this.#assemblers.get(normalizedType);
    if (assembler !== undefined) return assembler;
    this.#logger.warn?.(
      `[ContextManager] Unknown agentType "${agentType}" (normalized: "${normalizedType}"), using PlainTextAssembler`,
    );
    return fallbackAssembler;
  }

  /** A hook is a guest: what it throws is said and goes no further. */
  #callHook<Name extends 'onMessageAdded' | 'onTeamTaskChanged' | 'onReset'>(
    name: Name,
    ...args: Parameters<NonNullable<ContextManagerOptions[Name]>>
  ): void {
    const hook = this.#options[name] as ((...args: unknown[]) => void) | undefined;
    if (hook === undefined) return;
    const say = (error: unknown) =>
      this.#logger.error?.(`[ContextManager] Hook ${name} failed: ${describeThrown(error)}`);
    try {
      const result: unknown = hook(...args);
      if (result instanceof Promise) result.catch(say);
    } catch (error) {
      say(error);
    }
  }
}

/** Anything can be thrown, also what has no text form. */
function describeThrown(thrown: unknown): string {
  if (thrown instanceof Error) return `${thrown.name}: ${thrown.message}`;
  return typeof thrown === 'object' ? inspect(thrown) : String(thrown);
}

/** A count given as an option, or the default when it is not given. */
function readCount(option: string, value: number | undefined, fallback: number, least = 0): number {
  if (value === undefined) return fallback;
  if (!Number.isSafeInteger(value) || value < least) {
    throw new InvalidOptionError(option, value, `a whole number of at least ${least}`);
  }
  return value;
}
