import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { quoteValue } from '../catalogue/teamProblems.js';
import { HuddleError } from '../models/errors.js';
import type { Team } from '../models/Team.js';
import { fileReasonOf, UnsafePathError } from '../utils/fileReason.js';
import type { Logger } from '../utils/logger.js';
import { makePrivateFolder, requirePrivateFile } from '../utils/privatePaths.js';
import { quoteText, showInvisible } from '../utils/quoteText.js';
import { replaceFile, withLockFile } from './privateFile.js';
import { readRegularFile, UnreadableFileError } from './readRegularFile.js';

const FILE_MODE = 0o600;
const MAX_BYTES = 16 * 1024 * 1024;

/** The folders a person has trusted. */
const trustRecordSchema = z.strictObject({
  version: z.literal(1),
  folders: z.array(
    z.strictObject({
      folder: z.string(),
      date: z.iso.datetime(),
      /** Fingerprint of the team in the team file; absent if the folder was trusted without one. */
      fingerprint: z.optional(z.string()),
      /** The same field by field, to say what changed; see `teamFields.ts`. */
      fields: z._default(z.record(z.string(), z.string()), {}),
      /** Instruction files outside the folder that may be read. */
      files: z.array(z.string()),
      /** Programs inside the project that PATH may lead to. */
      programs: z._default(z.array(z.string()), []),
      /** Files of the project that give members rights by themselves, seen from the folder. */
      grants: z._default(z.array(z.string()), []),
    }),
  ),
});

type TrustRecord = z.output<typeof trustRecordSchema>;
export type TrustedFolder = TrustRecord['folders'][number];

interface TrustOptions {
  /** Huddle's own, see `resolveDataFolder.ts`. */
  readonly dataFolder: string;
  readonly logger?: Logger;
}

/** The record of trusted folders cannot be understood. It was left as it is. */
export class TrustRecordError extends HuddleError<'TRUST_RECORD_DAMAGED'> {
  readonly file: string;

  constructor(file: string, options?: ErrorOptions) {
    super('TRUST_RECORD_DAMAGED', { file }, options);
    this.file = file;
  }
}

/** Huddle's own folder is there, but not to be used. */
export class DataFolderError extends HuddleError<'DATA_FOLDER'> {
  readonly dataFolder: string;

  constructor(dataFolder: string, cause: Error) {
    super('DATA_FOLDER', { folder: dataFolder, reason: fileReasonOf(cause) }, { cause });
    this.dataFolder = dataFolder;
  }
}

/** Reads what a person trusted in a folder, whether or not the team has changed since. */
export async function findTrustedFolder(
  folder: string,
  options: TrustOptions,
): Promise<TrustedFolder | undefined> {
  const realFolder = await realpath(folder);
  const { folders } = await readTrustRecord(options);
  return folders.find((entry) => entry.folder === realFolder);
}

/** A person's decision about a folder; fields that are not given stay unchanged. */
interface NewTrust
  extends Partial<Pick<TrustedFolder, 'fingerprint' | 'fields' | 'files' | 'programs' | 'grants'>> {
  readonly folder: string;
  readonly date: Date;
}

/** Records a person's decision about a folder. Decisions of other processes at the same moment are kept. */
export async function trustFolder(trust: NewTrust, options: TrustOptions): Promise<void> {
  const folder = await realpath(trust.folder);
  await inDataFolder(options, async () => {
    // Before anything is made: what is damaged is left as it is.
    await readTrustRecord(options);
    makePrivateFolder(options.dataFolder, options.logger);
    await withLockFile(`${trustFile(options)}.lock`, async () => {
      const { folders } = await readTrustRecord(options);
      const old = folders.find((entry) => entry.folder === folder);
      const date = trust.date.toISOString();
      const entry = { fields: {}, files: [], programs: [], grants: [], ...old, ...trust, folder, date };
      const record: TrustRecord = {
        version: 1,
        folders: [...folders.filter((other) => other !== old), entry],
      };
      await replaceFile(trustFile(options), [`${JSON.stringify(record, null, 2)}\n`], FILE_MODE);
    });
  });
}

async function readTrustRecord(options: TrustOptions): Promise<TrustRecord> {
  const file = trustFile(options);
  try {
    const text = await inDataFolder(options, () => readPrivately(file, options.logger));
    return text === undefined ? { version: 1, folders: [] } : trustRecordSchema.parse(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof DataFolderError) throw cause;
    throw new TrustRecordError(file, { cause });
  }
}

/** Returns undefined if there is no such file. Throws UnsafePathError, UnreadableFileError. */
async function readPrivately(file: string, logger?: Logger): Promise<string | undefined> {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  requirePrivateFile(file, logger);
  return readRegularFile(file, MAX_BYTES);
}

/** Turns a system error into one about the data folder. */
async function inDataFolder<Value>({ dataFolder }: TrustOptions, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const refusal = error instanceof UnreadableFileError ? error.cause : error;
    if (refusal instanceof UnsafePathError || (refusal instanceof Error && 'syscall' in refusal))
      throw new DataFolderError(dataFolder, refusal);
    throw error;
  }
}

function trustFile({ dataFolder }: TrustOptions): string {
  return join(dataFolder, 'trust.json');
}

/**
 * A team as a flat record: the path of each field, and what it holds. Numbers stand as they are, everything else as a
 * digest, because a text of a team file may be a secret and this is written down.
 */
type TeamFields = Readonly<Record<string, string>>;

/** Fields derived from others. A change of any field not listed here needs new trust. */
const HARMLESS: ReadonlySet<string> = new Set(['id']);

const DIGEST_BEGINNING = '#';
const DIGEST_LENGTH = 16;

export function digestTeam(team: Team): TeamFields {
  return Object.fromEntries(flatten(team).map(([path, value]) => [path, digest(value)]));
}

/** Equal exactly when the fields are. */
export function fingerprintTeam(team: Team): string {
  return sha256(JSON.stringify(flatten(team)));
}

/** A difference from an earlier team; `path` and values are safe to print on a terminal. */
export type TeamChange =
  | { readonly kind: 'new-member' | 'removed'; readonly path: string }
  | { readonly kind: 'added'; readonly path: string; readonly value: string }
  /** `old`: what it was, of a number. */
  | { readonly kind: 'changed'; readonly path: string; readonly value: string; readonly old?: string };

/** Finds the differences from an earlier team. */
export function findChanges(before: TeamFields, team: Team): readonly TeamChange[] {
  const fields = flatten(team);
  const now = new Map(fields);
  const gone = Object.keys(before).filter((path) => !now.has(path));
  const changes = [
    ...fields.map(([path, value]) => findChange(path, before[path], value, before)),
    ...gone.map((path) => findLoss(path, [...now.keys()])),
  ].filter((change) => change !== undefined);
  // A member that is new or gone is so once, whatever fields it has.
  return [...new Map(changes.map((change) => [`${change.kind} ${change.path}`, change])).values()];
}

function findChange(
  path: string,
  old: string | undefined,
  value: unknown,
  before: TeamFields,
): TeamChange | undefined {
  if (old === digest(value)) return undefined;
  const name = showInvisible(path);
  const member = memberOf(path);
  if (member !== undefined && !hasMember(Object.keys(before), member))
    return { kind: 'new-member', path: showInvisible(member) };
  if (old === undefined) return { kind: 'added', path: name, value: show(value) };
  return { kind: 'changed', path: name, value: show(value), ...(isNumber(old) && { old }) };
}

function findLoss(path: string, paths: readonly string[]): TeamChange {
  const member = memberOf(path);
  const name = member !== undefined && !hasMember(paths, member) ? member : path;
  return { kind: 'removed', path: showInvisible(name) };
}

/** `members.max.permission` → `members.max`: names of members have no dots. */
function memberOf(path: string): string | undefined {
  return /^members\.[^.]+/u.exec(path)?.[0];
}

function hasMember(paths: readonly string[], member: string): boolean {
  return paths.some((path) => path.startsWith(`${member}.`));
}

/** In the order of their paths, so that only what is in a field counts, and not where it stands. */
function flatten(team: Team): ReadonlyArray<readonly [path: string, value: unknown]> {
  return [...fieldsIn(team, [])].sort(([a], [b]) => (a < b ? -1 : 1));
}

function* fieldsIn(value: unknown, path: readonly string[]): Generator<readonly [string, unknown]> {
  if (value === undefined || HARMLESS.has(path.at(-1) ?? '')) return;
  if (isListOfObjects(value)) {
    // Who is first is asked first.
    yield [path.join('.'), value.map(nameOf)];
    for (const entry of value) yield* fieldsIn(entry, [...path, nameOf(entry)]);
  } else if (isObject(value)) {
    for (const [name, field] of Object.entries(value)) yield* fieldsIn(field, [...path, name]);
  } else yield [path.join('.'), value];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOfObjects(value: unknown): value is ReadonlyArray<Readonly<Record<string, unknown>>> {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Members have names, prices have models. */
function nameOf(entry: Readonly<Record<string, unknown>>): string {
  return String(entry.name ?? entry.model ?? '');
}

function digest(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return DIGEST_BEGINNING + sha256(JSON.stringify(value)).slice(0, DIGEST_LENGTH);
}

function isNumber(digested: string): boolean {
  return !digested.startsWith(DIGEST_BEGINNING);
}

function show(value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map((entry) => quoteText(String(entry))).join(', ')}]`
    : quoteValue(value);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
