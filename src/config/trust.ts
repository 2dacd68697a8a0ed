import { lstatSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { HuddleError } from '../models/errors.js';
import { fileReasonOf, UnsafePathError } from '../utils/fileReason.js';
import type { Logger } from '../utils/logger.js';
import { makePrivateFolder, requirePrivateFile } from '../utils/privatePaths.js';
import { withLockFile } from './lockFile.js';
import { readRegularFile, UnreadableFileError } from './readRegularFile.js';
import { replaceFile } from './replaceFile.js';

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

export type TrustRecord = z.output<typeof trustRecordSchema>;
export type TrustedFolder = TrustRecord['folders'][number];

export interface TrustOptions {
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
export interface NewTrust
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
