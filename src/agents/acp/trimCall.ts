import type { FileDiff } from '../../models/AgentEvent.js';
import type { QuestionExtent } from '../AgentAdapter.js';
import { fieldOf, isRecord, type UnknownRecord } from '../dialect/records.js';
import { FILE_FIELDS } from './toolArguments.js';

/** Characters of one request that can be shown, everything together. */
export const MOST_SHOWN = 256 * 1024;
/** By these a question is judged, so they are kept whole or not at all. */
const NAMED_FIELDS: ReadonlySet<string> = new Set(['command', ...FILE_FIELDS]);
/** Enough to say in one line what a tool is given. */
const BEGINNING = 2000;
/** More than there are arguments with a known meaning. */
const MOST_FIELDS = 100;
/** In the place of what is left out: nobody takes the rest for the whole. */
const CUT = '…';
/** Weight of a number, a list or a record itself. */
const ITEM_WEIGHT = 8;

/** A tool call as far as it is known; every message about it may add a part. */
export interface AcpToolCall {
  readonly toolId: string;
  readonly name?: string;
  readonly kind?: string;
  readonly title?: string;
  readonly rawInput?: unknown;
  readonly status?: string;
  readonly locations: readonly string[];
  readonly diffs: readonly FileDiff[];
  /** Says whether something was too long to be kept. */
  readonly extent: QuestionExtent;
  readonly isStarted: boolean;
  readonly isEnded: boolean;
}

/** A call without what is too long to be shown, and the characters it takes. Memory is bounded by this, not by the agent. */
export function trimCall(call: AcpToolCall): { readonly call: AcpToolCall; readonly weight: number } {
  const { name, kind, title, locations, diffs, rawInput } = call;
  const named = [...NAMED_FIELDS].map((field) => fieldOf(rawInput, field));
  const toJudge = weigh([name, kind, title, locations, diffs.map(({ path }) => path), named], MOST_SHOWN);
  if (toJudge > MOST_SHOWN) {
    const { toolId, isStarted, isEnded } = call;
    const status = call.status === undefined ? {} : { status: copyBeginning(call.status) };
    const words = { name: copyBeginning(name ?? ''), title: copyBeginning(title ?? '') };
    const rest = { locations: [], diffs: [], extent: 'too-long-to-judge', isStarted, isEnded } as const;
    return { call: { toolId, ...words, ...status, ...rest }, weight: 2 * BEGINNING };
  }
  const input = trimInput(rawInput);
  const changes = weigh(diffs, MOST_SHOWN);
  const isWhole = input.isWhole && changes <= MOST_SHOWN;
  const kept = {
    ...call,
    rawInput: input.value,
    diffs: changes <= MOST_SHOWN ? diffs : diffs.map(withoutTexts),
    extent: isWhole ? call.extent : worse(call.extent),
  };
  return { call: kept, weight: toJudge + weigh(kept.rawInput, MOST_SHOWN) + weigh(kept.diffs, MOST_SHOWN) };
}

/** The extent of a call when something of it is too long to be shown. */
export function worse(extent: QuestionExtent): QuestionExtent {
  return extent === 'whole' ? 'too-long-to-show' : extent;
}

/** About how many characters a parsed value takes; stops counting when it is more than `most`. */
export function weigh(value: unknown, most: number): number {
  const rest = [value];
  let weight = 0;
  while (rest.length > 0 && weight <= most) {
    const item = rest.pop();
    weight += typeof item === 'string' ? item.length : ITEM_WEIGHT;
    if (typeof item !== 'object' || item === null) continue;
    for (const key of Object.keys(item)) {
      weight += key.length;
      rest.push((item as Record<string, unknown>)[key]);
      if (weight > most) break;
    }
  }
  return weight;
}

function trimInput(value: unknown): { readonly value: unknown; readonly isWhole: boolean } {
  if (weigh(value, MOST_SHOWN) <= MOST_SHOWN) return { value, isWhole: true };
  return { value: isRecord(value) ? trimFields(value) : CUT, isWhole: false };
}

function trimFields(fields: UnknownRecord): UnknownRecord {
  const entries = Object.entries(fields).slice(0, MOST_FIELDS);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (NAMED_FIELDS.has(name) || weigh(value, BEGINNING) <= BEGINNING) return [name, value];
      return [name, typeof value === 'string' ? copyBeginning(value) : CUT];
    }),
  );
}

function withoutTexts({ path, oldText }: FileDiff): FileDiff {
  return { path, oldText: oldText === null ? null : '', newText: '' };
}

/** A copy: the slice of a text would keep the whole text in memory. */
function copyBeginning(text: string): string {
  return Buffer.from(text.slice(0, BEGINNING), 'utf16le').toString('utf16le');
}
