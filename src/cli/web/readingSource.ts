import type { ReadingSource } from '../../frontends/web/reading/openReading.js';
import type { CliContext } from '../CliContext.js';
import { sessionFile } from '../sessions.js';

/** Data for the thread. */
export interface ReadingData {
  /** The file of the saved sessions, whether it exists or not. */
  readonly file: string;
}

/** The thread that reads saved sessions: its module, which the build puts beside the program, and where they are. */
export function readingSource(
  context: Pick<CliContext, 'dataFolder'>,
): Pick<ReadingSource, 'module'> & { readonly data: ReadingData } {
  return {
    module: new URL('../reading/readingThread.cjs', import.meta.url),
    data: { file: sessionFile(context) },
  };
}
