import { once } from 'node:events';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk/unstable';
import type { PermissionAnswer, PermissionQuestion, TurnRequest } from '../AgentAdapter.js';
import type { ReaderEvent } from '../dialect/Dialect.js';
import { fieldOf, isRecord, listOf, numberOf, textOf } from '../dialect/records.js';
import { answerWith } from './permissionOutcome.js';
import { createFileQuestion, createQuestion, describeWrite, type FileAccess } from './permissionQuestion.js';
import { ShownEdits } from './ShownEdits.js';
import { changeOf, type ToolCalls } from './toolCalls.js';
import { type AcpToolCall, MOST_SHOWN } from './trimCall.js';
import { FileRefusedError, WorkingFolder } from './WorkingFolder.js';

export interface AcpRequestsOptions {
  readonly request: TurnRequest;
  /** The tool calls that the agent has told of. */
  readonly tools: ToolCalls;
  /** Stops the agent's clock until the result is called. */
  readonly holdTime: () => () => void;
  /** Settles when everything the agent said before it asked has been told. */
  readonly waitUntilTold: () => Promise<void>;
  readonly say: (event: ReaderEvent) => void;
  /** Aborted when the turn is over, or on its way there. */
  readonly withdrawn: AbortSignal;
}

/** Answers an agent's requests during a turn: for permission, and for files. All of them are decided in one place. */
export class AcpRequests {
  readonly #options: AcpRequestsOptions;
  readonly #folder: WorkingFolder;
  readonly #shownEdits = new ShownEdits();
  /** Files it wrote through us and may yet tell us about. */
  readonly #writtenFiles = new Set<string>();

  constructor(options: AcpRequestsOptions) {
    this.#options = options;
    const { workingFolder, additionalFolders, hiddenFiles } = options.request;
    this.#folder = new WorkingFolder(workingFolder, additionalFolders, hiddenFiles);
  }

  async answer(params: unknown, signal: AbortSignal): Promise<RequestPermissionResponse> {
    const { request, tools, withdrawn } = this.#options;
    const toolCall = fieldOf(params, 'toolCall');
    const call = tools.note(isRecord(toolCall) ? toolCall : {});
    const place = { ...request, folder: this.#folder };
    const question = await createQuestion(call, place, AbortSignal.any([signal, withdrawn]));
    const answer = await this.#decide(question);
    if (answer === 'allow' && question.kind === 'edit') await this.#noteShown(call, question);
    return answerWith(answer, listOf(params, 'options'));
  }

  /** Throws FileRefusedError. */
  async read(params: unknown): Promise<{ content: string }> {
    const path = textOf(params, 'path') ?? '';
    const place = await this.#folder.locateInside(path);
    if (!(await this.#mayHave({ kind: 'read', place })))
      throw new FileRefusedError(path, 'may not be read by this member');
    const part = { line: numberOf(params, 'line'), limit: numberOf(params, 'limit') };
    return { content: await this.#folder.readText(path, part) };
  }

  /** Throws FileRefusedError. */
  async write(params: unknown): Promise<object> {
    const path = textOf(params, 'path') ?? '';
    const content = textOf(params, 'content') ?? '';
    const place = await this.#folder.locateInside(path);
    if (place.isReadOnly) throw new FileRefusedError(path, 'may only be read');
    const current = await this.#folder.readShort(place, MOST_SHOWN);
    const wasShown = this.#shownEdits.take(place.file, current, content);
    const diff = describeWrite(place, current, content);
    if (!wasShown && !(await this.#mayHave({ kind: 'edit', place, diff })))
      throw new FileRefusedError(path, 'may not be written by this member');
    const isNew = await this.#folder.writeText(path, content, place);
    const written = changeOf(path, isNew ? 'add' : 'update');
    this.#options.say(written);
    this.#writtenFiles.add(written.path);
    return {};
  }

  /** Takes note of what the agent says of its work. False: a change of a file that was told of when it was written. */
  note(event: ReaderEvent): boolean {
    if (event.type === 'tool-end') this.#shownEdits.forget(event.toolId);
    return event.type !== 'file-change' || !this.#writtenFiles.delete(event.path);
  }

  async #noteShown({ toolId, diffs }: AcpToolCall, question: PermissionQuestion): Promise<void> {
    if (question.diffs === undefined) return;
    for (const diff of diffs) {
      const place = await this.#folder.locate(diff.path).catch(() => undefined);
      if (place !== undefined) this.#shownEdits.add({ toolId, file: place.file, diff });
    }
  }

  async #mayHave(access: FileAccess): Promise<boolean> {
    const { request, withdrawn } = this.#options;
    const question = await createFileQuestion(access, request.teamFile, withdrawn);
    if (request.askPermission === undefined && isCovered(question, request)) return true;
    return (await this.#decide(question)) === 'allow';
  }

  async #decide(question: PermissionQuestion): Promise<PermissionAnswer> {
    const { request, holdTime, waitUntilTold, say } = this.#options;
    const { signal, guards, extent, isUnderstood, isAsked, ...details } = question;
    if (signal.aborted) return 'cancelled';
    if (request.askPermission === undefined) {
      say({ type: 'permission-request', ...details });
      return 'deny';
    }
    const release = holdTime();
    try {
      await Promise.race([waitUntilTold(), cancelledBy(signal)]);
      if (signal.aborted) return 'cancelled';
      return await Promise.race([request.askPermission(question), cancelledBy(signal)]);
    } finally {
      release();
    }
  }
}

/** Whether a file needs no decision, because the permission covers it and there is no list to look at. */
function isCovered({ kind, guards }: PermissionQuestion, { permission, deny = [] }: TurnRequest): boolean {
  if (deny.length > 0) return false;
  if (kind === 'read') return true;
  return permission === 'full' ? !guards.includes('team-file') : permission === 'edit' && guards.length === 0;
}

function cancelledBy(signal: AbortSignal): Promise<'cancelled'> {
  return once(signal, 'abort').then(() => 'cancelled');
}
