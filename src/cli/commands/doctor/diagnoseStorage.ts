import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeError, describeSystemError } from '../../../catalogue/errors.js';
import { words } from '../../../catalogue/words.js';
import { HuddleError } from '../../../models/errors.js';
import { isShared } from '../../../store/postgres/SharedStore.js';
import { loadSqlite } from '../../../store/sqlite/loadSqlite.js';
import { toArray } from '../../../utils/AnyIterable.js';
import { requireOwnFolder } from '../../../utils/privatePaths.js';
import { listStored, withStore } from '../../sessions/storedSessions.js';
import type { CliContext } from '../../start/CliContext.js';
import { EXIT_CODE_OF_ERROR, EXIT_CODES } from '../../start/exitCodes.js';
import { chooseStore } from '../../team/chooseStore.js';
import { broken, type Diagnosis, type Finding, VERDICTS } from './Diagnosis.js';

/** Checks whether sessions can be saved, and whether the saved ones can be read. */
export async function diagnoseStorage(context: CliContext): Promise<Diagnosis> {
  const { dataFolder } = context;
  try {
    requireWritable(dataFolder);
  } catch (error) {
    return {
      findings: [broken(words.doctor.noDataFolder(dataFolder, describeSystemError(error)))],
      verdict: VERDICTS.noDataFolder,
      facts: { dataFolder, canKeepSessions: false },
    };
  }
  const isThere: Finding = { state: 'works', text: words.doctor.dataFolder(dataFolder) };
  try {
    const shared = await chooseStore(context);
    if (shared === undefined) loadSqlite();
    await withStore(context, async (store) => {
      // A shared store may hold millions.
      if (isShared(store)) await store.list({ limit: 1 });
      else await toArray(listStored(store));
    });
    const facts = { dataFolder, canKeepSessions: true };
    if (shared === undefined) return { findings: [isThere], facts };
    const { name } = shared;
    const isInUse: Finding = { state: 'works', text: words.doctor.sharedStore(name) };
    return { findings: [isThere, isInUse], facts: { ...facts, store: name } };
  } catch (error) {
    if (!(error instanceof HuddleError)) throw error;
    return {
      findings: [isThere, broken(describeError(error))],
      verdict: {
        exitCode: EXIT_CODE_OF_ERROR.get(error.code) ?? EXIT_CODES.failed,
        next: 'runUnsaved',
      },
      facts: { dataFolder, canKeepSessions: false },
    };
  }
}

/** Requires that the folder can be made when it is needed, by making another one there: rights alone do not tell. An existing one must be ours. */
function requireWritable(folder: string): void {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  rmdirSync(mkdtempSync(join(existing, '.huddle-')));
  if (existing === folder) requireOwnFolder(folder);
}
