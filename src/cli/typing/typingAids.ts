import type { TerminalOptions } from '../../frontends/tui/session/TerminalOptions.js';
import type { CliContext } from '../start/CliContext.js';
import { HistoryFile } from './HistoryFile.js';

/** Helps for typing at the terminal, loaded when they are first used. Only texts of a session that is saved are saved. */
export function typingAids(
  context: CliContext,
  { workingFolder, isSaved }: { readonly workingFolder: string; readonly isSaved: boolean },
): Pick<TerminalOptions, 'history' | 'listFiles' | 'editText'> {
  const { env } = context;
  // A dry run needs no data folder.
  const saved = isSaved && {
    history: new HistoryFile({ dataFolder: context.dataFolder, folder: workingFolder, env }),
  };
  return {
    ...saved,
    listFiles: async () => (await import('./listProjectFiles.js')).listProjectFiles(workingFolder, env),
    editText: async (text, signal) =>
      (await import('./editInProgram.js')).editInProgram(text, context, signal),
  };
}
