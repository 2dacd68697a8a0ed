import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { createScanner, type Node, parseTree } from 'jsonc-parser';
import type { TeamProblem } from '../models/TeamProblem.js';
import { makeMissingFolders } from '../utils/privatePaths.js';
import { parseTeamFile } from './parseTeamFile.js';
import { replaceFile, withLockFile } from './privateFile.js';
import { isBlankJson, parseUserSettings, readSettingsText, type SettingsPlace } from './userSettings.js';

/** A field of the configuration file and its new value; undefined removes it. */
export interface SettingChange {
  readonly path: readonly string[];
  readonly value: unknown;
}

export type ChangeResult =
  | { readonly ok: true; readonly isChanged: boolean }
  /** Nothing was written: the file is not JSON, or would not be valid. */
  | { readonly ok: false; readonly problems: readonly TeamProblem[] };

const UNCHANGED: ChangeResult = { ok: true, isChanged: false };

/** Changes one setting in the file, and makes the file if there is none. Throws UnreadableFileError and what the system says. */
export async function changeUserSettings(change: SettingChange, place: SettingsPlace): Promise<ChangeResult> {
  const { file } = place;
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return createFile(change, place);
  // A link stays a link: many people keep such files elsewhere.
  const target = realpathSync(file);
  return withLockFile(`${target}.lock`, async () => {
    const before = await readSettingsText(target);
    const edited = edit(before, change, place);
    if (!edited.ok) return edited;
    if (edited.text === before) return UNCHANGED;
    await replaceFile(target, [edited.text], statSync(target).mode & 0o777);
    return { ok: true, isChanged: true };
  });
}

async function createFile(change: SettingChange, place: SettingsPlace): Promise<ChangeResult> {
  if (change.value === undefined) return UNCHANGED;
  const edited = edit('', change, place);
  if (!edited.ok) return edited;
  makeMissingFolders(dirname(place.file));
  const isMade = await withLockFile(`${place.file}.lock`, async () => {
    if (lstatSync(place.file, { throwIfNoEntry: false }) !== undefined) return false;
    await replaceFile(place.file, [edited.text]);
    return true;
  });
  // Another process may have made it meanwhile.
  return isMade ? { ok: true, isChanged: true } : changeUserSettings(change, place);
}

type EditResult = { readonly ok: true; readonly text: string } | Extract<ChangeResult, { ok: false }>;

/** The text of the file after the change, if it is valid then. A wrong value may be there before, to be replaced. */
function edit(text: string, { path, value }: SettingChange, place: SettingsPlace): EditResult {
  const before = isBlankJson(text) ? `${text.trimEnd()}\n{}\n`.trimStart() : text;
  const parsed = parseTeamFile(before);
  if (!parsed.ok) return parsed;
  const after = isObject(parsed.value) ? editJson(before, path, value) : before;
  const checked = parseUserSettings(after, place);
  if (!checked.ok) return checked;
  return { ok: true, text: after === before ? text : after };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Replacement of a part of a text. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const STEP = '  ';

/**
 * Sets a field of JSON with comments, or removes it if `value` is undefined; the rest stays as it is, comments and
 * trailing commas too. The text must be an object without errors.
 */
export function editJson(text: string, path: readonly string[], value: unknown): string {
  const { node, property, rest } = findDeepest(requireTree(text), path);
  if (value === undefined) return rest.length > 0 || property === undefined ? text : remove(text, property);
  const [key, ...deeper] = rest;
  const wrapped = deeper.reduceRight((inner, step) => ({ [step]: inner }), value);
  if (key !== undefined && node.type === 'object') return insert(text, node, key, wrapped);
  const whole = key === undefined ? value : { [key]: wrapped };
  const replaced = formatValue(whole, indentAt(text, node.offset));
  return apply(text, [{ from: node.offset, to: endOf(node), text: replaced }]);
}

/** The node that a path leads to as far as there is one, its property, and the steps that are left. */
function findDeepest(root: Node, path: readonly string[]) {
  let [node, property]: [Node, Node | undefined] = [root, undefined];
  let rest = path;
  while (rest.length > 0) {
    const next =
      node.type === 'object'
        ? childrenOf(node).find(({ children }) => children?.[0]?.value === rest[0])
        : undefined;
    const value = next?.children?.[1];
    if (value === undefined) break;
    [node, property, rest] = [value, next, rest.slice(1)];
  }
  return { node, property, rest };
}

/** Adds a line before the closing brace, or a field to an object on one line. */
function insert(text: string, object: Node, key: string, value: unknown): string {
  const brace = endOf(object) - 1;
  const last = childrenOf(object).at(-1);
  const comma = last && commaAfter(text, endOf(last));
  const separate: readonly Edit[] =
    last === undefined || comma !== undefined ? [] : [{ from: endOf(last), to: endOf(last), text: ',' }];
  const outer = indentAt(text, brace);
  const field = `${JSON.stringify(key)}: ${formatValue(value, outer + STEP)}`;
  const end = comma === undefined ? '' : ',';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const line = lineStart(text, brace);
  if (text.slice(line, brace).trim() === '') {
    const added = `${outer}${STEP}${field}${end}${eol}`;
    return apply(text, [{ from: line, to: line, text: added }, ...separate]);
  }
  const from = text.slice(0, brace).trimEnd().length;
  const added = last === undefined ? `${eol}${outer}${STEP}${field}${eol}${outer}` : ` ${field}${end} `;
  return apply(text, [{ from, to: brace, text: added }, ...separate]);
}

/** Removes a property with its comma, and its line if nothing else is on it. */
function remove(text: string, property: Node): string {
  const comma = commaAfter(text, endOf(property));
  const siblings = childrenOf(property.parent);
  const previous = siblings[siblings.indexOf(property) - 1];
  const earlier = comma === undefined && previous ? commaAfter(text, endOf(previous)) : undefined;
  const span = widen(text, { from: property.offset, to: comma?.to ?? endOf(property) });
  return apply(text, [...(earlier ? [{ ...earlier, text: '' }] : []), { ...span, text: '' }]);
}

/** The whole line, if there is nothing else on it. */
function widen(text: string, { from, to }: Span): Span {
  const start = lineStart(text, from);
  const end = text.indexOf('\n', to) + 1 || text.length;
  const isAlone = text.slice(start, from).trim() === '' && text.slice(to, end).trim() === '';
  return isAlone ? { from: start, to: end } : { from, to };
}

function commaAfter(text: string, offset: number): Span | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const from = scanner.getTokenOffset();
  return text[from] === ',' ? { from, to: from + 1 } : undefined;
}

/** On one line, but for objects in objects. */
function formatValue(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value);
  if (!fields.some(([, field]) => typeof field === 'object'))
    return `{ ${fields.map(([key, field]) => `${JSON.stringify(key)}: ${JSON.stringify(field)}`).join(', ')} }`;
  const lines = fields.map(
    ([key, field]) => `${indent}${STEP}${JSON.stringify(key)}: ${formatValue(field, indent + STEP)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

/** From the end to the beginning, so that no edit moves another; of two at one place the first in the list comes last in the text. */
function apply(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((edited, { from, to, text: added }) => edited.slice(0, from) + added + edited.slice(to), text);
}

function requireTree(text: string): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new TypeError('text without errors has a value');
  return root;
}

function childrenOf(node: Node | undefined): readonly Node[] {
  return node?.children ?? [];
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/u.exec(text.slice(lineStart(text, offset)))?.[0] ?? '';
}
