import type { SessionFacts } from '../../frontends/tui/session/TerminalOptions.js';
import type { ConversationId } from '../../models/ids.js';
import { isShared } from '../../store/postgres/SharedStore.js';
import type { Store } from '../../store/Store.js';
import { readVersion } from '../../utils/readVersion.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import { findStoreName } from '../team/chooseStore.js';
import type { ChosenTeam } from '../team/chooseTeam.js';
import type { CliContext } from './CliContext.js';
import { showPath } from './showPath.js';

/** Facts about a session and the program that holds it. */
export async function describeHere(
  id: ConversationId,
  store: Store | undefined,
  { teamFile }: ChosenTeam,
  context: CliContext,
): Promise<SessionFacts> {
  const [summary] = (await store?.find(id)) ?? [];
  const shared = store !== undefined && isShared(store) ? await findStoreName(context) : undefined;
  return {
    title: summary?.title ?? '',
    ...(teamFile !== undefined && { teamFile: showPath(teamFile, context) }),
    dataFolder: showFolder(context.dataFolder, context),
    ...(shared !== undefined && { store: sanitizeForTerminal(shared.name) }),
    version: readVersion(),
  };
}

/** A folder as people write it: `~/wiki`. */
export function showFolder(folder: string, { env: { HOME: home = '' } }: CliContext): string {
  const isInHome = home !== '' && (folder === home || folder.startsWith(`${home}/`));
  return sanitizeForTerminal(isInHome ? `~${folder.slice(home.length)}` : folder);
}
