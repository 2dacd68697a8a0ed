import { stripVTControlCharacters } from 'node:util';
import type { ToolKind } from '@agentclientprotocol/sdk/unstable';
import type { FileDiff, ToolDetailEvent } from '../../models/AgentEvent.js';
import { truncateToBytes } from '../../utils/bytes.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';

/** A parsed JSON object that was not checked; read only through the functions below. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own properties only: the writer of the record does not get to reach its prototype. */
export function fieldOf(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function textOf(value: unknown, key: string): string | undefined {
  const field = fieldOf(value, key);
  return typeof field === 'string' ? field : undefined;
}

export function numberOf(value: unknown, key: string): number | undefined {
  const field = fieldOf(value, key);
  return Number.isFinite(field) ? (field as number) : undefined;
}

export function listOf(value: unknown, key: string): readonly unknown[] {
  const field = fieldOf(value, key);
  return Array.isArray(field) ? field : [];
}

/** The values of an object's own properties. */
export function valuesOf(value: unknown): readonly unknown[] {
  return isRecord(value) ? Object.values(value) : [];
}

/** Looks up a word that came from outside, so that `constructor` is not found in every table. */
export function lookUp<Entry>(table: Readonly<Record<string, Entry>>, word: unknown): Entry | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined;
}

/** Bytes of each text. */
const MOST_BYTES = 256 * 1024;
/** Files and changes of one call that are shown. */
const MOST_ENTRIES = 100;

/** The fields in which tools name the file they are about. */
export const PATH_FIELDS = ['file_path', 'filePath', 'path', 'absolute_path', 'abs_path', 'notebook_path'];

/** Details of a tool call, each text cut; none if there is nothing to tell. */
export function toolDetail(
  toolId: string,
  { title, locations = [], diffs = [], output = '' }: Omit<ToolDetailEvent, 'type' | 'toolId'>,
): ToolDetailEvent[] {
  const detail = {
    ...(title && { title: truncateToBytes(title, MOST_BYTES) }),
    ...(locations.length > 0 && { locations: locations.slice(0, MOST_ENTRIES) }),
    ...(diffs.length > 0 && { diffs: diffs.slice(0, MOST_ENTRIES).map(cutDiff) }),
    ...(output !== '' && { output: truncateToBytes(output, MOST_BYTES) }),
  };
  return Object.keys(detail).length === 0 ? [] : [{ type: 'tool-detail', toolId, ...detail }];
}

/** The whole result of a tool call, unless its summary is all of it. */
export function resultDetail(toolId: string, output: string, summary: string): ToolDetailEvent[] {
  return output.trim() === summary ? [] : toolDetail(toolId, { output });
}

function cutDiff({ path, oldText, newText }: FileDiff): FileDiff {
  return {
    path,
    oldText: oldText === null ? null : truncateToBytes(oldText, MOST_BYTES),
    newText: truncateToBytes(newText, MOST_BYTES),
  };
}

/** Details in the input of a tool: the file that it names, and what an edit would change there. */
export function inputDetail(toolId: string, kind: ToolKind, input: unknown): ToolDetailEvent[] {
  const path = PATH_FIELDS.map((field) => textOf(input, field)).find((text) => text !== undefined);
  if (path === undefined) return [];
  // Of a search it is the number of results that are passed over.
  const line = kind === 'read' ? numberOf(input, 'offset') : undefined;
  return toolDetail(toolId, {
    locations: [{ path, ...(line !== undefined && { line }) }],
    diffs: kind === 'edit' ? diffsIn(path, input) : [],
  });
}

/** Words in place of others, several such, or a whole new content: of that it is not known what was there before. */
function diffsIn(path: string, input: unknown): FileDiff[] {
  const content = textOf(input, 'content');
  if (content !== undefined) return [{ path, oldText: null, newText: content }];
  return [input, ...listOf(input, 'edits')].flatMap((edit) => {
    const newText = textOf(edit, 'new_string');
    return newText === undefined ? [] : [{ path, oldText: textOf(edit, 'old_string') ?? '', newText }];
  });
}

/** The text of a tool's result: text, a list of content blocks, or any other value as JSON. */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result;
  const blocks = Array.isArray(result) ? result : listOf(result, 'content');
  const texts = blocks.flatMap(
    (block) => textOf(block, 'text') ?? textOf(fieldOf(block, 'content'), 'text') ?? [],
  );
  if (texts.length > 0) return texts.join('\n');
  return result === undefined || result === null ? '' : (toJson(result) ?? '');
}

/** The one field of a tool's input that says what it is about, most telling first; but a command comes before all of them. */
const tellingFields = ['file_path', 'path', 'pattern', 'query', 'url', 'description', 'prompt'];

const summaryLength = 200;
const UNREADABLE = '…';
/** A word that a shell takes as it is. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/u;

/** Any value in short, on one line, for people. Never throws. */
export function summarizeValue(value: unknown): string {
  return toOneLine(typeof value === 'string' ? value : describe(value), summaryLength);
}

/** Colours gone, white space folded, harmless for a terminal, cut at a number of characters. */
export function toOneLine(text: string, maxLength: number): string {
  // Folding costs time per character; nothing beyond a few lengths can survive the cut.
  const line = sanitizeToOneLine(stripVTControlCharacters(text.slice(0, maxLength * 8)).toWellFormed());
  const characters = Array.from(line);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line;
}

function describe(value: unknown): string {
  const command = commandLine(fieldOf(value, 'command'));
  if (command !== undefined) return command;
  const telling = tellingFields.map((field) => textOf(value, field)).find((text) => text !== undefined);
  return telling ?? toJson(value) ?? (value === undefined ? '' : '…');
}

/** A command as people read it: text as it is, a list joined and quoted as for a shell. `undefined`: there is none. */
export function commandLine(command: unknown): string | undefined {
  if (command === undefined || command === null || typeof command === 'string') return command ?? undefined;
  if (!Array.isArray(command)) return toJson(command) ?? UNREADABLE;
  return command.length === 0 ? undefined : command.map(quoteWord).join(' ');
}

/** `undefined` where there is nothing to say, or too much: a value can be nested too deep for the stack. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function quoteWord(word: unknown): string {
  const text = typeof word === 'string' ? word : (toJson(word) ?? UNREADABLE);
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
