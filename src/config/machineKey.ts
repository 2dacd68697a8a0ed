import { randomUUID } from 'node:crypto';
import { linkSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HuddleError } from '../models/errors.js';
import { createKeyText, readKeyText, type SigningKey } from '../utils/ed25519.js';
import { makeMissingFolders } from '../utils/privatePaths.js';
import { replaceFile } from './privateFile.js';
import { readOwnFile } from './readRegularFile.js';

const FILE_MODE = 0o600;

/** The private key of this machine, beside the configuration file. */
export function resolveKeyFile(configFile: string): string {
  return join(dirname(configFile), 'key.pem');
}

/**
 * Reads the key of this machine, and makes one if there is none.
 *
 * @throws HuddleError FILE_OPEN_TO_OTHERS if others may read the file, KEY_UNREADABLE if it holds no key.
 */
export async function loadMachineKey(file: string): Promise<SigningKey> {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) createKeyFile(file);
  const key = readKeyText(await readOwnFile(file, 'read'));
  if (key === undefined) throw new HuddleError('KEY_UNREADABLE', { file });
  return key;
}

/** Makes a new key in place of the one there is, which then signs nothing any more. */
export async function replaceMachineKey(file: string): Promise<SigningKey> {
  makeMissingFolders(dirname(file));
  await replaceFile(file, [createKeyText()], FILE_MODE);
  return loadMachineKey(file);
}

/** Appears whole or not at all, and once: of two processes that make it at the same moment both use the same. */
function createKeyFile(file: string): void {
  makeMissingFolders(dirname(file));
  const temporary = `${file}.${randomUUID()}`;
  try {
    writeFileSync(temporary, createKeyText(), { flag: 'wx', mode: FILE_MODE, flush: true });
    linkSync(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
