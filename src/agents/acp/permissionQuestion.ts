import { randomUUID } from 'node:crypto';
import type { PermissionAnswer, PermissionQuestion } from '../AgentAdapter.js';
import { listOf, textOf } from '../records.js';
import { describeInput, nameOf, pathsOf, type ToolCall } from './toolCalls.js';
import type { WorkingFolder } from './WorkingFolder.js';

/** The fields in which tools name the file they are about. */
const PATH_FIELDS = ['file_path', 'filePath', 'path', 'absolute_path', 'abs_path', 'notebook_path'];

/** What an agent's question is about, with its files looked up. Never throws. */
export async function createQuestion(
  call: ToolCall,
  folder: WorkingFolder,
  signal: AbortSignal,
): Promise<PermissionQuestion> {
  const places = await Promise.all(namedPaths(call).map((path) => locate(folder, path)));
  const command = commandOf(call.rawInput);
  return {
    requestId: randomUUID(),
    name: nameOf(call),
    input: describeInput(call),
    kind: call.kind ?? 'other',
    title: call.title ?? '',
    ...(command !== undefined && { command }),
    paths: places.map(({ shown }) => shown),
    isInFolder: places.every(({ isInside }) => isInside),
    signal,
  };
}

/**
 * An answer in the terms of the options that the agent offered. Leave is only ever given for this once; where that is
 * not offered there is none.
 */
export function answerWith(answer: PermissionAnswer, options: readonly unknown[]): PermissionOutcome {
  const optionId = OPTION_KINDS[answer].map((kind) => optionOf(kind, options)).find((id) => id !== undefined);
  return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
}

export interface PermissionOutcome {
  readonly outcome:
    | { readonly outcome: 'cancelled' }
    | { readonly outcome: 'selected'; readonly optionId: string };
}

const OPTION_KINDS: Readonly<Record<PermissionAnswer, readonly string[]>> = {
  allow: ['allow_once', 'reject_once'],
  deny: ['reject_once', 'reject_always'],
  cancelled: [],
};

function optionOf(kind: string, options: readonly unknown[]): string | undefined {
  return textOf(
    options.find((option) => textOf(option, 'kind') === kind),
    'optionId',
  );
}

/** Whatever the agent says a call is about, in one place or another: all of it counts. */
function namedPaths(call: ToolCall): readonly string[] {
  const inInput = PATH_FIELDS.flatMap((field) => textOf(call.rawInput, field) ?? []);
  return [...new Set([...pathsOf(call), ...inInput])];
}

function commandOf(rawInput: unknown): string | undefined {
  const words = listOf(rawInput, 'command').filter((word) => typeof word === 'string');
  return textOf(rawInput, 'command') ?? (words.length > 0 ? words.join(' ') : undefined);
}

/** What cannot be looked up is not in the folder. */
async function locate(
  folder: WorkingFolder,
  path: string,
): Promise<{ readonly shown: string; readonly isInside: boolean }> {
  return folder.locate(path).catch(() => ({ shown: path, isInside: false }));
}
