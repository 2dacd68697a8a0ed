import { words as catalogue } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import { agentsOf } from '../../routing/teamMembers.js';
import { assertNever } from '../../utils/assertNever.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printPieces, withMore } from '../start/CliContext.js';
import type { CliCommand } from '../start/command.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { type Expectation, expectWord, type Suggestion } from './completion/expectWord.js';
import { FILES, FOLDERS, SHELLS, type ShellName } from './completion/shells.js';

export interface CompletionOptions {
  readonly shell: ShellName;
  /** The words typed behind `huddle`, up to the cursor. Empty: the script is asked for. */
  readonly words: readonly string[];
}

const SESSIONS_SHOWN = 50;
const MESSAGES_SHOWN = 50;
/** So many milliseconds a shared store may take: Tab is pressed for an answer at once. */
const STORE_MILLISECONDS = 300;

/** Prints the script for a shell, or answers it: what the last word can be. */
export async function completion(
  { shell, words: typed }: CompletionOptions,
  context: CliContext,
  program: CliCommand,
): Promise<number> {
  if (typed.length === 0) {
    await printPieces(context, [SHELLS[shell].script]);
    return EXIT_CODES.done;
  }
  const words = separateValues(typed);
  const named = words.indexOf('--store');
  const storeWish = named >= 0 && named < words.length - 2 ? { name: words[named + 1] } : undefined;
  const asked = withMore(context, { storePatience: STORE_MILLISECONDS, storeWish });
  const answer = await answerTo(expectWord(program, words, catalogue), asked);
  if (typeof answer === 'string') print(context, answer);
  else
    for (const suggestion of answer)
      if (suggestion.value.startsWith(words.at(-1) ?? '')) print(context, SHELLS[shell].format(suggestion));
  return EXIT_CODES.done;
}

/** `--team=x` is two words, as `--team x` is; bash makes three of it. */
function separateValues(words: readonly string[]): readonly string[] {
  const separated = words.flatMap((word) => /^(--[^=]+)=(.*)$/su.exec(word)?.slice(1) ?? [word]);
  if (separated.at(-1) === '=') separated.push('');
  return separated.filter((word) => word !== '=');
}

/** The suggestions, or the word that tells the shell to look for files or folders. */
async function answerTo(
  expectation: Expectation,
  context: CliContext,
): Promise<readonly Suggestion[] | typeof FILES | typeof FOLDERS> {
  switch (expectation.kind) {
    case 'words':
      return expectation.words;
    case 'files':
      return FILES;
    case 'folders':
      return FOLDERS;
    case 'sessions':
      return suggestSessions(context);
    case 'stores':
      return suggestStores(context);
    case 'agents':
      return suggestAgents(context);
    case 'changes':
      return suggestChanges(context);
    case 'messages':
      return suggestMessages(expectation.session, context);
    default:
      return assertNever(expectation);
  }
}

// A person waits for Tab, and most words need neither the store nor a team: each is loaded where it is needed.

async function suggestSessions(context: CliContext): Promise<readonly Suggestion[]> {
  const { withStore } = await import('../sessions/storedSessions.js');
  const listed = await unlessAway(withStore(context, (store) => store.list({ limit: SESSIONS_SHOWN })));
  return (listed?.summaries ?? []).map(({ id, title }) => ({
    value: id,
    description: sanitizeToOneLine(title),
  }));
}

async function suggestStores(context: CliContext): Promise<readonly Suggestion[]> {
  const { loadStores, LOCAL_STORE } = await import('../../config/stores.js');
  const { requireStoresFile } = await import('../team/chooseStore.js');
  const stores = await loadStores(requireStoresFile(context));
  const named = [...stores].map(([value, url]) => ({ value, description: sanitizeToOneLine(url) }));
  return [...named, { value: LOCAL_STORE, description: catalogue.stores.local }];
}

async function suggestAgents(context: CliContext): Promise<readonly Suggestion[]> {
  const { project } = context;
  const file = await project.fileOf(undefined);
  if (file === undefined) return [];
  const { team } = await project.load(file, { interactive: true, trustedFiles: 'any' });
  return agentsOf(team).map(({ name, title = '' }) => ({
    value: name,
    description: sanitizeToOneLine(title),
  }));
}

/** The newest first. */
async function suggestMessages(
  session: string | undefined,
  context: CliContext,
): Promise<readonly Suggestion[]> {
  const { withSession } = await import('../sessions/storedSessions.js');
  const { listMessages } = await import('../sessions/listMessages.js');
  const listed = await unlessAway(
    withSession(session, context, ({ reader }) => listMessages(reader.read(), MESSAGES_SHOWN)),
  );
  return (listed ?? []).map(({ id, name, text }) => ({
    value: id,
    description: sanitizeToOneLine(catalogue.joining.labelled(name, text)),
  }));
}

/** Turns, undos and applies of the latest session here that changed files, the newest first. */
async function suggestChanges(context: CliContext): Promise<readonly Suggestion[]> {
  const { withSession } = await import('../sessions/storedSessions.js');
  const { readFileHistory } = await import('../../files/changes/fileHistory.js');
  const history = await unlessAway(
    withSession(undefined, context, ({ reader }) => readFileHistory(reader.read())),
  );
  const { members, units } = history ?? { members: [], units: [] };
  const named = units.toReversed().flatMap(({ names, memberIds, files }) => {
    const by = members.filter(({ id }) => memberIds.includes(id)).map(({ name }) => name);
    return files.length === 0
      ? []
      : names.map((value) => ({ value, description: sanitizeToOneLine(by.join(', ')) }));
  });
  return [...named, ...['new', 'all'].map((value) => ({ value, description: '' }))];
}

/** Reads from a store; undefined if it is a shared one that does not answer: what is known without it is completed. */
async function unlessAway<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof HuddleError && error.code === 'STORE_OUT_OF_REACH') return undefined;
    throw error;
  }
}
