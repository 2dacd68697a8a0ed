import type { TurnEvent } from '../Dialect.js';
import { fieldOf, isRecord, listOf, textOf, type UnknownRecord } from '../records.js';
import { summarize } from '../summarize.js';

/** What has been said about one tool call until now; every message about it may tell a part. */
export interface ToolCall {
  readonly toolId: string;
  readonly name?: string;
  readonly kind?: string;
  readonly title?: string;
  readonly rawInput?: unknown;
  readonly status?: string;
  readonly locations: readonly string[];
  readonly diffs: readonly Diff[];
  readonly isStarted: boolean;
  readonly isEnded: boolean;
}

interface Diff {
  readonly path: string;
  readonly isNew: boolean;
}

const UNKNOWN_TOOL = 'tool';

/** The tool calls of one turn, folded from `tool_call`, `tool_call_update` and the questions about them. */
export class ToolCalls {
  readonly #calls = new Map<string, ToolCall>();

  /** Takes one message about a tool call. Never throws. */
  note(record: UnknownRecord): ToolCall {
    const toolId = textOf(record, 'toolCallId') ?? '';
    const call = merge(this.#calls.get(toolId) ?? newCall(toolId), record);
    this.#calls.set(toolId, call);
    return call;
  }

  /** The same, and what people are shown of it: a beginning when there is something to say, and an end. */
  read(record: UnknownRecord): TurnEvent[] {
    const call = this.note(record);
    const isOver = call.status === 'completed' || call.status === 'failed';
    const starts = !call.isStarted && (isOver || isTelling(call));
    const ends = isOver && !call.isEnded;
    this.#calls.set(call.toolId, {
      ...call,
      isStarted: call.isStarted || starts,
      isEnded: call.isEnded || ends,
    });
    return [...(starts ? [startOf(call)] : []), ...(ends ? endOf(call, record) : [])];
  }
}

export function nameOf({ name, kind }: ToolCall): string {
  return name ?? kind ?? UNKNOWN_TOOL;
}

/** What it is about, in short. */
export function describeInput({ rawInput, title = '' }: ToolCall): string {
  return isEmpty(rawInput) ? summarize(title) : summarize(rawInput);
}

/** Every file that the call is said to touch. */
export function pathsOf({ locations, diffs }: ToolCall): readonly string[] {
  return [...new Set([...locations, ...diffs.map(({ path }) => path)])];
}

function newCall(toolId: string): ToolCall {
  return { toolId, locations: [], diffs: [], isStarted: false, isEnded: false };
}

/** What is not said again stays as it was. */
function merge(before: ToolCall, record: UnknownRecord): ToolCall {
  const name = textOf(record, 'name') ?? textOf(fieldOf(fieldOf(record, '_meta'), 'claudeCode'), 'toolName');
  const said = {
    name,
    kind: textOf(record, 'kind'),
    title: textOf(record, 'title'),
    status: textOf(record, 'status'),
    rawInput: isEmpty(fieldOf(record, 'rawInput')) ? undefined : fieldOf(record, 'rawInput'),
  };
  const known = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  const locations = listOf(record, 'locations').flatMap((location) => textOf(location, 'path') ?? []);
  const diffs = listOf(record, 'content').flatMap(readDiff);
  return {
    ...before,
    ...known,
    ...(locations.length > 0 && { locations }),
    ...(diffs.length > 0 && { diffs }),
  };
}

function readDiff(content: unknown): Diff[] {
  const path = textOf(content, 'type') === 'diff' ? textOf(content, 'path') : undefined;
  return path === undefined ? [] : [{ path, isNew: textOf(content, 'oldText') === undefined }];
}

/** Some agents announce a call before they know its input; it is shown when there is something to show. */
function isTelling({ status, rawInput, locations, diffs }: ToolCall): boolean {
  const isAnnounced = status === undefined || status === 'pending';
  return !isAnnounced || rawInput !== undefined || locations.length + diffs.length > 0;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (isRecord(value) && Object.keys(value).length === 0);
}

function startOf(call: ToolCall): TurnEvent {
  return { type: 'tool-start', toolId: call.toolId, name: nameOf(call), input: describeInput(call) };
}

function endOf(call: ToolCall, record: UnknownRecord): TurnEvent[] {
  const ok = call.status === 'completed';
  const end = {
    type: 'tool-end',
    toolId: call.toolId,
    name: nameOf(call),
    ok,
    result: resultIn(record),
  } as const;
  return ok ? [...changesBy(call), end] : [end];
}

function changesBy({ kind, diffs, locations }: ToolCall): TurnEvent[] {
  if (kind === 'delete')
    return locations.map((path) => ({ type: 'file-change', path: summarize(path), change: 'delete' }));
  return diffs.map(({ path, isNew }) => ({
    type: 'file-change',
    path: summarize(path),
    change: isNew ? 'add' : 'update',
  }));
}

function resultIn(record: UnknownRecord): string {
  const output = fieldOf(record, 'rawOutput');
  if (!isEmpty(output)) return summarize(output);
  const texts = listOf(record, 'content').flatMap(
    (content) => textOf(fieldOf(content, 'content'), 'text') ?? [],
  );
  return summarize(texts.join(' '));
}
