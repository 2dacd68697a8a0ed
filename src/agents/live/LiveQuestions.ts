import { once } from 'node:events';
import type { FileDiff } from '../../models/AgentEvent.js';
import type { PermissionAnswer, PermissionQuestion, TurnRequest } from '../AgentAdapter.js';
import type { ReaderEvent } from '../dialect/Dialect.js';
import { type AskedCall, changeOf, MOST_SHOWN } from './AskedCall.js';
import { createFileQuestion, createQuestion, describeWrite, type FileAccess } from './permissionQuestion.js';
import { FileRefusedError, WorkingFolder } from './WorkingFolder.js';

export interface LiveQuestionsOptions {
  readonly request: TurnRequest;
  /** Stops the agent's clock until the result is called. */
  readonly holdTime: () => () => void;
  /** Settles when everything the agent said before it asked has been told. */
  readonly waitUntilTold: () => Promise<void>;
  readonly say: (event: ReaderEvent) => void;
  /** Aborted when the turn is over, or on its way there. */
  readonly withdrawn: AbortSignal;
}

/** Answers an agent's requests during a turn: for permission, and for files. All of them are decided in one place. */
export class LiveQuestions {
  readonly #options: LiveQuestionsOptions;
  readonly #folder: WorkingFolder;
  readonly #shownEdits = new ShownEdits();
  /** Files it wrote through us and may yet tell us about. */
  readonly #writtenFiles = new Set<string>();

  constructor(options: LiveQuestionsOptions) {
    this.#options = options;
    const { workingFolder, additionalFolders, hiddenFiles } = options.request;
    this.#folder = new WorkingFolder(workingFolder, additionalFolders, hiddenFiles);
  }

  /** Decides about a tool call. The signal withdraws the question. */
  async ask(call: AskedCall, signal: AbortSignal): Promise<PermissionAnswer> {
    const { request, withdrawn } = this.#options;
    const place = { ...request, folder: this.#folder };
    const question = await createQuestion(call, place, AbortSignal.any([signal, withdrawn]));
    const answer = await this.#decide(question);
    if (answer === 'allow' && question.kind === 'edit') await this.#noteShown(call, question);
    return answer;
  }

  /** Throws FileRefusedError. */
  async read(path: string, part: { readonly line?: number; readonly limit?: number }): Promise<string> {
    const place = await this.#folder.locateInside(path);
    if (!(await this.#mayHave({ kind: 'read', place })))
      throw new FileRefusedError(path, 'may not be read by this member');
    return this.#folder.readText(path, part);
  }

  /** Throws FileRefusedError. */
  async write(path: string, content: string): Promise<void> {
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
  }

  /** Takes note of what the agent says of its work. False: a change of a file that was told of when it was written. */
  note(event: ReaderEvent): boolean {
    if (event.type === 'tool-end') this.#shownEdits.forget(event.toolId);
    return event.type !== 'file-change' || !this.#writtenFiles.delete(event.path);
  }

  async #noteShown({ toolId, diffs }: AskedCall, question: PermissionQuestion): Promise<void> {
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

interface ShownEdit {
  readonly toolId: string | undefined;
  /** Links resolved. */
  readonly file: string;
  readonly diff: FileDiff;
}

/**
 * Edits that were allowed as they were shown, so that no one is asked twice for one act: some agents ask, and then write
 * through us. Each can be written once, while its tool call runs, and only if it makes of the file what was shown.
 */
class ShownEdits {
  #edits: readonly ShownEdit[] = [];

  add(edit: ShownEdit): void {
    this.#edits = [...this.#edits, edit];
  }

  /** Whether this write is one of them; it is used up by that. `current` is null for a file that is not there. */
  take(file: string, current: string | null | undefined, content: string): boolean {
    const edit = this.#edits.find((each) => each.file === file && makes(each.diff, current, content));
    this.#edits = this.#edits.filter((each) => each !== edit);
    return edit !== undefined;
  }

  /** The tool call is over. */
  forget(toolId: string): void {
    this.#edits = this.#edits.filter((edit) => edit.toolId !== toolId);
  }
}

/** A diff is of the whole file, or of one place in it. */
function makes({ oldText, newText }: FileDiff, current: string | null | undefined, content: string): boolean {
  if (current === undefined) return false;
  if (oldText === null || oldText === '') return (current ?? '') === '' && content === newText;
  if (current === null) return false;
  const place = current.indexOf(oldText);
  const isOnlyOne = place >= 0 && current.indexOf(oldText, place + 1) < 0;
  return isOnlyOne && content === current.slice(0, place) + newText + current.slice(place + oldText.length);
}
