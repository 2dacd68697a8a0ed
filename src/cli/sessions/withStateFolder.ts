import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';

/** Works with a folder in which simulated agents keep their sessions as long as a rehearsal lasts. */
export async function withStateFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = await createStateFolder();
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Creates such a folder; whoever asks for it removes it. */
export function createStateFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'huddle-rehearsal-')).catch((cause) => {
    const sentence = () => words.rehearsal.noStateFolder(tmpdir(), describeSystemError(cause));
    throw new HuddleError('CANNOT_WRITE', sentence, { cause });
  });
}
