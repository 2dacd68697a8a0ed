import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TeamProblem } from '../models/TeamProblem.js';
import { makeMissingFolders } from '../utils/privatePaths.js';
import { editJson } from './editJson.js';
import { withLockFile } from './lockFile.js';
import { parseTeamFile } from './parseTeamFile.js';
import { replaceFile } from './replaceFile.js';
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
