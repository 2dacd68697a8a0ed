import { mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describeSystemError } from '../catalogue/errors.js';
import { words } from '../catalogue/words.js';
import type { RecordedEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import { formatJson } from '../utils/formatJson.js';
import type { CliContext } from './start/CliContext.js';
import { UsageError } from './start/reportError.js';
import { showPath } from './start/showPath.js';
import { writePieces } from './start/writePieces.js';

/** Finds the file that a recording is to be written to. Anything wrong with it is said before an agent is started. */
export function requireTarget(
  file: string,
  { force = false }: { readonly force?: boolean | undefined },
  context: CliContext,
): string {
  const target = resolve(context.workingFolder, file);
  const shown = showPath(target, context);
  const found = statOf(target);
  if (found?.isDirectory()) throw new UsageError(words.recording.isFolder(shown));
  if (found !== undefined && !force) throw new UsageError(words.recording.exists(shown));
  if (!isFolderPossible(dirname(target)))
    throw new UsageError(words.recording.noFolder(showPath(dirname(target), context)));
  return target;
}

/** Whether a folder is there or can be made: no file is in its way. */
function isFolderPossible(folder: string): boolean {
  return statOf(folder)?.isDirectory() ?? isFolderPossible(dirname(folder));
}

/** Undefined: nothing is there, or a file is in the way. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** Refuses to change recordings where tests run: each of them would pass. */
export function requireForceInCi(flag: string, force: boolean | undefined, { env }: CliContext): void {
  const isInCi = !['', '0', 'false'].includes(env.CI ?? '');
  if (isInCi && !force) throw new UsageError(words.recording.notInCi(flag));
}

/** Writes a recording, all of it or nothing, with the folder it is in. */
export async function writeTarget(
  target: string,
  events: readonly RecordedEvent[],
  context: CliContext,
): Promise<void> {
  try {
    mkdirSync(dirname(target), { recursive: true });
    await writePieces(target, formatLines(events));
  } catch (cause) {
    const shown = showPath(target, context);
    throw new HuddleError('CANNOT_WRITE', words.recording.cannotWrite(shown, describeSystemError(cause)), {
      cause,
    });
  }
}

/** A recording as its file has it, a line an event. */
export function* formatLines(events: readonly RecordedEvent[]): Generator<string> {
  for (const event of events) yield `${formatJson(event)}\n`;
}
