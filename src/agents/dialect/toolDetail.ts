import type { ToolKind } from '@agentclientprotocol/sdk/unstable';
import type { FileDiff, ToolDetailEvent } from '../../models/AgentEvent.js';
import { truncateToBytes } from '../../utils/bytes.js';
import { fieldOf, listOf, numberOf, textOf } from './records.js';
import { toJson } from './summarizeValue.js';

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
