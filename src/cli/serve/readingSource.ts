import type { ReadingSource } from '../../frontends/web/reading/ReadingThread.js';
import { sessionFile } from '../sessions/storedSessions.js';
import type { CliContext } from '../start/CliContext.js';
import { chooseStore } from '../team/chooseStore.js';

/** Data for the thread: the file of the sessions on this machine, whether it exists or not, or the address of a shared store. */
export type ReadingData = { readonly file: string } | { readonly url: string };

/** The thread that reads saved sessions: its module, which the build puts beside the program, and where they are. */
export async function readingSource(
  context: CliContext,
): Promise<Pick<ReadingSource, 'module'> & { readonly data: ReadingData }> {
  const shared = await chooseStore(context);
  return {
    module: new URL('readingThread.js', import.meta.url),
    data: shared === undefined ? { file: sessionFile(context) } : { url: shared.url },
  };
}
