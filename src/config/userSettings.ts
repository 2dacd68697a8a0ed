import { dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { LANGUAGES } from '../models/Language.js';
import type { TeamProblem } from '../models/TeamProblem.js';
import type { UserSettings } from '../models/UserSettings.js';
import { nearest } from '../utils/nearest.js';
import { inOrder } from './loadTeamFile.js';
import { formatPointer, parseTeamFile } from './parseTeamFile.js';
import { readRegularFile, UnreadableFileError } from './readRegularFile.js';
import { describeIssue, findUnreadPrice } from './schemaProblems.js';
import { extensible, FIELDS, listPrices, pricesSchema } from './teamSchema.js';

const MAX_BYTES = 1024 * 1024;

const COLOURS = ['auto', 'always', 'never'] as const;

const settingsShape = {
  language: z.optional(z.enum(LANGUAGES)),
  team: z.optional(z.string().check(z.minLength(1))),
  prices: z.optional(pricesSchema),
  notifications: z.optional(z.boolean()),
  colours: z.optional(z.enum(COLOURS)),
};

/** The configuration file. */
const settingsSchema = extensible(z.strictObject(settingsShape));

/** The names of all settings. */
export const SETTING_NAMES = Object.keys(settingsShape) as readonly (keyof UserSettings)[];

/** The values that a setting may have, of those that have a list of them. */
export const SETTING_CHOICES: Readonly<Record<'language' | 'colours', readonly string[]>> = {
  language: LANGUAGES,
  colours: COLOURS,
};

export type SettingsResult =
  | {
      readonly ok: true;
      readonly settings: UserSettings;
      /** Number of the line with the field of a JSON pointer. */
      readonly lineOf: (pointer: string) => number | undefined;
    }
  | { readonly ok: false; readonly problems: readonly TeamProblem[] };

/** The places that paths in the file are relative to. */
export interface SettingsPlace {
  readonly file: string;
  readonly homeFolder: string;
}

/** Reads and checks the configuration file, which must exist. What is wrong with it is returned, not thrown. */
export async function loadUserSettings(place: SettingsPlace): Promise<SettingsResult> {
  try {
    return parseUserSettings(await readSettingsText(place.file), place);
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const { facts } = error;
    return { ok: false, problems: [{ code: 'FILE_UNREADABLE', pointer: '', value: undefined, ...facts }] };
  }
}

/** Reads the text of the file. Throws UnreadableFileError. */
export function readSettingsText(file: string): Promise<string> {
  return readRegularFile(file, MAX_BYTES);
}

/** Text of the configuration file → settings, or everything that is wrong with it. */
export function parseUserSettings(text: string, place: SettingsPlace): SettingsResult {
  if (isBlankJson(text)) return { ok: true, settings: {}, lineOf: () => undefined };
  const parsed = parseTeamFile(text);
  if (!parsed.ok) return parsed;
  const { value, locate, lineOf } = parsed;
  const checked = settingsSchema.safeParse(value);
  const problems = [
    ...(checked.error?.issues ?? []).flatMap((issue) => describeIssue(value, issue, unknownSetting)),
    ...findUnreadPrice(value),
  ];
  if (!checked.success || problems.length > 0) return { ok: false, problems: inOrder(problems, locate) };
  const { team, prices, ...rest } = checked.data;
  const settings = {
    ...rest,
    team: team && resolveUserPath(team, place),
    prices: prices && listPrices(prices),
  };
  return { ok: true, settings, lineOf };
}

/** Whether a text has no value at all: it is empty, or only comments. */
export function isBlankJson(text: string): boolean {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/gu, '').trim() === '';
}

function unknownSetting(_file: unknown, path: readonly PropertyKey[], key: string): TeamProblem {
  const suggestion = nearest(key, path[0] === 'prices' ? FIELDS.price : SETTING_NAMES);
  const pointer = formatPointer([...path, key]);
  return { code: 'UNKNOWN_FIELD', pointer, value: key, suggestion };
}

/** `~/team.jsonc` is in the home folder, a relative path is beside the configuration file. */
export function resolveUserPath(path: string, { file, homeFolder }: SettingsPlace): string {
  return resolve(
    dirname(file),
    path.replace(/^~(?=\/|$)/u, () => join(homeFolder, '.')),
  );
}
