import { isDeepStrictEqual } from 'node:util';
import type { FileDiff } from '../../models/AgentEvent.js';
import type { TurnEvent } from '../dialect/Dialect.js';
import {
  fieldOf,
  listOf,
  numberOf,
  resultDetail,
  resultText,
  summarizeValue,
  textOf,
  toolDetail,
  type UnknownRecord,
} from '../dialect/records.js';
import {
  type AskedCall,
  changeOf,
  describeInput,
  isEmpty,
  nameOfCall,
  trimCall,
  UNKNOWN_KIND,
} from '../live/AskedCall.js';

/** Calls that are remembered; those before them are taken for new ones. */
const MOST_CALLS = 10_000;
/** Characters of all calls that have not ended. */
const MOST_KEPT = 4 * 1024 * 1024;

/** The tool calls of one turn, folded from `tool_call`, `tool_call_update` and the questions about them. */
export class ToolCalls {
  readonly #calls = new Map<string, AskedCall>();
  readonly #weights = new Map<string, number>();
  #kept = 0;

  /** Takes one message about a tool call. Never throws. */
  note(record: UnknownRecord): AskedCall {
    const toolId = textOf(record, 'toolCallId') ?? '';
    const { call, weight } = trimCall(merge(this.#calls.get(toolId) ?? newCall(toolId), record));
    this.#keep(call, weight);
    return call;
  }

  /** The same, and what people are shown of it: a beginning when there is something to say, and an end. */
  read(record: UnknownRecord): TurnEvent[] {
    const before = this.#calls.get(textOf(record, 'toolCallId') ?? '');
    const call = this.note(record);
    const isOver = call.status === 'completed' || call.status === 'failed';
    const starts = !call.isStarted && (isOver || isTelling(call));
    const ends = isOver && !call.isEnded;
    const after = { ...call, isStarted: call.isStarted || starts, isEnded: call.isEnded || ends };
    if (isOver) this.#keep(outlineOf(after), 0);
    else this.#calls.set(call.toolId, after);
    return [
      ...(starts ? [startOf(call)] : []),
      ...(after.isStarted && !call.isEnded ? describeNews(record, call, before) : []),
      ...(ends ? endOf(call, record) : []),
    ];
  }

  /** Makes room at the cost of those that were begun first. */
  #keep(call: AskedCall, weight: number): void {
    this.#calls.set(call.toolId, call);
    this.#kept += weight - (this.#weights.get(call.toolId) ?? 0);
    this.#weights.set(call.toolId, weight);
    for (const [toolId, oldest] of this.#calls) {
      if (this.#kept <= MOST_KEPT && this.#calls.size <= MOST_CALLS) return;
      this.#kept -= this.#weights.get(toolId) ?? 0;
      this.#weights.delete(toolId);
      if (this.#calls.size > MOST_CALLS) this.#calls.delete(toolId);
      else this.#calls.set(toolId, { ...outlineOf(oldest), extent: 'too-long-to-judge' });
    }
  }
}

function newCall(toolId: string): AskedCall {
  return { toolId, locations: [], diffs: [], extent: 'whole', isStarted: false, isEnded: false };
}

/** The outline that is left of a call that has ended, or that there is no room for. */
function outlineOf({ toolId, name, isStarted, isEnded }: AskedCall): AskedCall {
  return { ...newCall(toolId), ...(name && { name }), isStarted, isEnded };
}

/** Merges a message about a call into what is known of it. */
function merge(before: AskedCall, record: UnknownRecord): AskedCall {
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

function readDiff(content: unknown): FileDiff[] {
  const path = textOf(content, 'type') === 'diff' ? textOf(content, 'path') : undefined;
  if (path === undefined) return [];
  return [{ path, oldText: textOf(content, 'oldText') ?? null, newText: textOf(content, 'newText') ?? '' }];
}

/** Some agents announce a call before they know its input; it is shown when there is something to show. */
function isTelling({ status, rawInput, locations, diffs }: AskedCall): boolean {
  const isAnnounced = status === undefined || status === 'pending';
  return !isAnnounced || rawInput !== undefined || locations.length + diffs.length > 0;
}

function startOf(call: AskedCall): TurnEvent {
  const { toolId, kind = UNKNOWN_KIND } = call;
  return { type: 'tool-start', toolId, name: nameOfCall(call), input: describeInput(call), kind };
}

/** Details that a message adds to what was told of its call before; with the start of the call, all that is known. */
function describeNews(record: UnknownRecord, call: AskedCall, before: AskedCall | undefined): TurnEvent[] {
  const told = before?.isStarted ? before : undefined;
  const { toolId, title, locations, extent } = call;
  const reported = listOf(record, 'content').flatMap(readDiff);
  // Of those that were too long to keep, only this message has the texts.
  const diffs = reported.length > 0 || extent !== 'whole' ? reported : call.diffs;
  return toolDetail(toolId, {
    ...(title !== told?.title && title !== describeInput(call) && { title }),
    ...(!isDeepStrictEqual(locations, told?.locations) && {
      locations: locations.map((path) => ({ path, ...lineIn(record, path) })),
    }),
    ...(!isDeepStrictEqual(diffs, told?.diffs) && { diffs }),
  });
}

function lineIn(record: UnknownRecord, path: string): { line?: number } {
  const place = listOf(record, 'locations').find((location) => textOf(location, 'path') === path);
  const line = numberOf(place, 'line');
  return line === undefined ? {} : { line };
}

function endOf(call: AskedCall, record: UnknownRecord): TurnEvent[] {
  const { toolId, status } = call;
  const ok = status === 'completed';
  const name = nameOfCall(call);
  const result = summarizeValue(outputIn(record));
  return [
    ...resultDetail(toolId, resultText(outputIn(record)), result),
    ...(ok ? changesBy(call) : []),
    { type: 'tool-end', toolId, name, ok, result },
  ];
}

function changesBy({ kind, diffs, locations }: AskedCall): TurnEvent[] {
  if (kind === 'delete') return locations.map((path) => changeOf(path, 'delete'));
  // Some agents show the change, others only name the file.
  if (kind === 'edit' && diffs.length === 0) return locations.map((path) => changeOf(path, 'update'));
  return diffs.map(({ path, oldText }) => changeOf(path, oldText === null ? 'add' : 'update'));
}

function outputIn(record: UnknownRecord): unknown {
  const output = fieldOf(record, 'rawOutput');
  if (!isEmpty(output)) return output;
  const texts = listOf(record, 'content').flatMap(
    (content) => textOf(fieldOf(content, 'content'), 'text') ?? [],
  );
  return texts.join('\n');
}
