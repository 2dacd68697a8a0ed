import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import { type RecordedConversation, readRecording } from '../../replay/RecordedConversation.js';
import { importConversation, readChunks } from '../../store/importConversation.js';
import { MemoryStore } from '../../store/memory/MemoryStore.js';
import { explainImport } from '../commands/import.js';
import { withSession } from '../sessions/storedSessions.js';
import type { CliContext } from '../start/CliContext.js';

/** A recording, and where it is from. */
export interface LoadedRecording extends RecordedConversation {
  /** Id of its conversation. */
  readonly id: string;
  /** The file that it is from, as it was typed: anyone may have written it. Absent: a session of the user's own. */
  readonly file?: string | undefined;
  /** Another process writes it. */
  readonly isOpen: boolean;
  /** Folder that it was held in. */
  readonly folder?: string | undefined;
}

const FILE_NAME = /[/.]/u;

/** Loads a saved session, or a file that `export` or `cassette` wrote. A file of that name goes before a session. Rejects with NOTHING_TO_REPLAY. */
export async function loadRecording(what: string, context: CliContext): Promise<LoadedRecording> {
  const file = resolve(context.workingFolder, what);
  const stats = statSync(file, { throwIfNoEntry: false });
  const isFile = stats === undefined ? FILE_NAME.test(what) : !stats.isDirectory();
  const loaded = await (isFile ? loadFile(file, what) : loadStored(what, context));
  if (loaded.questions.length > 0) return loaded;
  throw new HuddleError('NOTHING_TO_REPLAY', words.replay.nothing(loaded.id));
}

function loadStored(id: string, context: CliContext): Promise<LoadedRecording> {
  return withSession(id, context, async ({ reader, summary }) => ({
    ...(await readRecording(reader.read())),
    id: summary.id,
    isOpen: summary.state === 'open',
    folder: summary.folder,
  }));
}

/** Checks every event, as `import` does; saves nothing. */
async function loadFile(file: string, shown: string): Promise<LoadedRecording> {
  const store = new MemoryStore();
  try {
    const id = await importConversation(store, readChunks(file));
    return { ...(await readRecording((await store.read(id)).read())), id, isOpen: false, file: shown };
  } catch (error) {
    throw explainImport(error, shown);
  }
}
