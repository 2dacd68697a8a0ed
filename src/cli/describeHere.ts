import type { SessionFacts } from '../frontends/tui/session/TerminalOptions.js';
import type { ConversationId } from '../models/ids.js';
import type { Store } from '../store/Store.js';
import { readVersion } from '../utils/readVersion.js';
import { sanitizeForTerminal } from '../utils/sanitize.js';
import type { CliContext } from './CliContext.js';
import type { ChosenTeam } from './chooseTeam.js';
import { showPath } from './showPath.js';

/** Facts about a session and the program that holds it. */
export async function describeHere(
  id: ConversationId,
  store: Store | undefined,
  { teamFile }: ChosenTeam,
  context: CliContext,
): Promise<SessionFacts> {
  const [summary] = (await store?.find(id)) ?? [];
  return {
    title: summary?.title ?? '',
    ...(teamFile !== undefined && { teamFile: showPath(teamFile, context) }),
    dataFolder: showFolder(context.dataFolder, context),
    version: readVersion(),
  };
}

/** A folder as people write it: `~/wiki`. */
export function showFolder(folder: string, { env: { HOME: home = '' } }: CliContext): string {
  const isInHome = home !== '' && (folder === home || folder.startsWith(`${home}/`));
  return sanitizeForTerminal(isInHome ? `~${folder.slice(home.length)}` : folder);
}
