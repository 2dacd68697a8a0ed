import { words } from '../../catalogue/words.js';
import {
  type CommittedFiles,
  commitFiles,
  describeTrailers,
  filesToCommit,
} from '../../files/actions/commitFiles.js';
import { adviseOthers } from '../../files/actions/describeFileAction.js';
import {
  describeAuthor,
  type FileHistory,
  type FileUnit,
  findLaterChange,
  isSameState,
  keyOf,
  shortName,
} from '../../files/changes/fileHistory.js';
import type { Workspace } from '../../files/Workspace.js';
import { cleanMessage } from '../../markers/parseMessage.js';
import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { asksTeam } from '../../models/ConversationMessage.js';
import { HuddleError } from '../../models/errors.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { pathsInSession, type TypedChoice } from '../files/sessionFiles.js';
import { openStoredFiles } from '../files/storedFiles.js';
import { type OpenedSession, withSession } from '../sessions/storedSessions.js';
import { canAsk } from '../start/askForYes.js';
import { type CliContext, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { UsageError } from '../start/reportError.js';

interface CommitOptions extends TypedChoice {
  readonly session?: string;
  readonly message?: string;
}

/** Commits exactly the files that turns changed, with the user's own git. */
export function commit(options: CommitOptions, context: CliContext): Promise<number> {
  return withSession(options.session, context, (opened) => commitSession(opened, options, context));
}

async function commitSession(
  opened: OpenedSession,
  { what, paths, message }: CommitOptions,
  context: CliContext,
): Promise<number> {
  const { reader, summary } = opened;
  const { keeper, folder, close } = await openStoredFiles(opened, context);
  try {
    const history = await keeper.readHistory();
    const chosen = filesToCommit(history, { what, paths: pathsInSession(paths, folder, context) });
    if (chosen.files.length === 0) {
      say(context, words.files.nothingToCommit(chosen.what));
      return EXIT_CODES.failed;
    }
    if (message === undefined && !canAsk(context)) throw new UsageError(words.files.noCommitMessage);
    const { findGit } = await import('../../files/git/runGit.js');
    const found = await findGit(context.env.PATH, folder);
    if (found.kind !== 'found')
      throw new HuddleError('FILES_NOT_RECORDED', {
        ...(found.kind === 'missing' && { reason: 'no-git' }),
        ...(found.kind === 'old' && { reason: 'old-git', detail: found.version }),
        ...(found.kind === 'broken' && { reason: 'failed', detail: found.detail }),
      });
    const workspace = await keeper.workspace();
    if (keeper.failure !== undefined) throw new HuddleError('FILES_NOT_RECORDED', keeper.failure);
    if (workspace !== undefined) await requireUnchanged(workspace, chosen, history, what);
    const code = await commitFiles({
      git: found.git.file,
      folder,
      env: context.env,
      files: chosen.files,
      message,
      subject: await proposeSubject(reader.read(), chosen.units),
      trailers: describeTrailers(summary.id, chosen.units, history),
    });
    if (code !== 'nothing') return code;
    say(context, words.files.alreadyCommitted(chosen.what));
    return EXIT_CODES.failed;
  } finally {
    await close();
  }
}

/** Requires that the files are as their turns left them. */
async function requireUnchanged(
  workspace: Workspace,
  { what, units, files }: CommittedFiles,
  history: FileHistory,
  typed: string | undefined,
): Promise<void> {
  const steps = files.map(({ path, bytes, after }) => ({ path, bytes, from: after, to: after }));
  const now = new Map((await workspace.plan({ steps })).files.map((file) => [keyOf(file), file.now]));
  const changed = files.filter((file) => !isSameState(now.get(keyOf(file)), file.after));
  if (changed.length === 0) return;
  const rest = files.filter((file) => !changed.includes(file));
  const word = typed ?? shortName(what);
  const last = history.units.findLast(({ names }) =>
    units.some((unit) => unit.names.includes(names[0] ?? '')),
  );
  throw new HuddleError('FILES_CHANGED_SINCE', {
    command: 'commit',
    what,
    total: files.length,
    files: changed.map((file) => ({
      path: file.path,
      ...describeAuthor(history, last && findLaterChange(history, last, keyOf(file))),
    })),
    look: 'git diff',
    others: adviseOthers(`huddle commit ${word}`, rest),
  });
}

/** As long as git likes a subject to be at most. */
const LONGEST_SUBJECT = 72;

/** Proposes a subject for a commit: the beginning of what a person last said before the first of these units. */
async function proposeSubject(
  events: AsyncIterable<RecordedEvent>,
  [first]: readonly FileUnit[],
): Promise<string> {
  let asked = '';
  for await (const event of events) {
    if (event.type === 'message-added' && asksTeam(event.message)) asked = event.message.content;
    if (event.type === 'turn-start' && first?.names.includes(event.turnId)) break;
  }
  const text = cleanMessage(asked, 'human').replace(/^(?:\s*@[\p{L}\p{N}_-]+[,:]?)+\s*/u, '');
  const [line = ''] = text.trim().split('\n');
  return shorten(sanitizeToOneLine(line).trim());
}

/** Cuts between words. */
function shorten(line: string): string {
  if (line.length <= LONGEST_SUBJECT) return line;
  const head = line.slice(0, LONGEST_SUBJECT - 1).toWellFormed();
  const end = head.lastIndexOf(' ');
  return `${end > LONGEST_SUBJECT / 2 ? head.slice(0, end) : head}…`;
}
