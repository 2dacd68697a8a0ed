import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { HuddleError } from '../models/errors.js';
import type { Logger } from '../utils/logger.js';
import { makePrivateFolder, UnsafePathError } from '../utils/privatePaths.js';
import { describeSystemError } from '../utils/systemErrors.js';
import { formatWhatStarts, type StartedProgram } from './describeWhatStarts.js';
import { readPrivateFile, writePrivateFile } from './privateFile.js';

/** The folders a person has trusted. `files` are instruction files outside the folder that may be read. */
const trustRecordSchema = z.strictObject({
  version: z.literal(1),
  folders: z.array(
    z.strictObject({
      folder: z.string(),
      date: z.iso.datetime(),
      fingerprint: z.string(),
      files: z.array(z.string()),
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

/** The team file of this folder starts programs, and no person has said that it may. */
export class TrustError extends HuddleError<'FOLDER_NOT_TRUSTED'> {
  readonly folder: string;
  readonly programs: readonly StartedProgram[];

  constructor(folder: string, programs: readonly StartedProgram[]) {
    const list = formatWhatStarts(programs);
    super(
      'FOLDER_NOT_TRUSTED',
      `The team file in ${folder} starts programs that nobody has trusted yet:\n${list}\n` +
        'Look through them, then run `huddle trust`, or add --trust for this run only.',
    );
    this.folder = folder;
    this.programs = programs;
  }
}

/** The record of trusted folders cannot be understood. It was left as it is. */
export class TrustRecordError extends HuddleError<'TRUST_RECORD_DAMAGED'> {
  readonly file: string;

  constructor(file: string, options?: ErrorOptions) {
    const advice = 'Repair it, or delete it and trust your folders again.';
    super('TRUST_RECORD_DAMAGED', `The record of trusted folders, ${file}, is damaged. ${advice}`, options);
    this.file = file;
  }
}

/** Huddle's own folder is there, but not to be used. */
export class DataFolderError extends HuddleError<'DATA_FOLDER'> {
  readonly dataFolder: string;

  constructor(dataFolder: string, cause: Error) {
    super(
      'DATA_FOLDER',
      `The data folder ${dataFolder} cannot be used: ${describeSystemError(cause)}. Mend that, or set HUDDLE_HOME to another folder.`,
      { cause },
    );
    this.dataFolder = dataFolder;
  }
}

/** Trust is in one folder and what starts there: other programs in the same folder are a new question. */
export async function isTrusted(
  folder: string,
  fingerprint: string,
  options: TrustOptions,
): Promise<boolean> {
  return (await findTrustedFolder(folder, options))?.fingerprint === fingerprint;
}

/** What a person allowed in a folder, whether or not it is still what would start. */
export async function findTrustedFolder(
  folder: string,
  options: TrustOptions,
): Promise<TrustedFolder | undefined> {
  const realFolder = await realpath(folder);
  const { folders } = await readTrustRecord(options);
  return folders.find((entry) => entry.folder === realFolder);
}

export interface NewTrust {
  readonly folder: string;
  readonly fingerprint: string;
  /** Instruction files outside the folder, links resolved. */
  readonly files?: readonly string[];
  readonly date: Date;
}

/** Records a person's decision; it takes the place of an earlier one for the same folder. */
export async function trustFolder(trust: NewTrust, options: TrustOptions): Promise<void> {
  const folder = await realpath(trust.folder);
  const { folders } = await readTrustRecord(options);
  const entry: TrustedFolder = {
    folder,
    date: trust.date.toISOString(),
    fingerprint: trust.fingerprint,
    files: [...(trust.files ?? [])],
  };
  const record: TrustRecord = {
    version: 1,
    folders: [...folders.filter((old) => old.folder !== folder), entry],
  };
  await inDataFolder(options, async () => {
    makePrivateFolder(options.dataFolder, options.logger);
    await writePrivateFile(trustFile(options), `${JSON.stringify(record, null, 2)}\n`);
  });
}

async function readTrustRecord(options: TrustOptions): Promise<TrustRecord> {
  const file = trustFile(options);
  const text = await inDataFolder(options, () => readPrivateFile(file, options.logger));
  if (text === undefined) return { version: 1, folders: [] };
  try {
    return trustRecordSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new TrustRecordError(file, { cause });
  }
}

/** What the system refuses there is said of the folder. */
async function inDataFolder<Value>({ dataFolder }: TrustOptions, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnsafePathError || (error instanceof Error && 'syscall' in error))
      throw new DataFolderError(dataFolder, error);
    throw error;
  }
}

function trustFile({ dataFolder }: TrustOptions): string {
  return join(dataFolder, 'trust.json');
}
