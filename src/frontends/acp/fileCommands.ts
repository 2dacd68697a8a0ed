import { words } from '../../catalogue/words.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { FileAction } from '../../coordinator/files/describeFileAction.js';
import { formatFilePlan } from '../../presentation/formatFilePlan.js';
import { readFileArgument } from '../../presentation/readTypedLine.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import { formatFileDone, noteDiff } from '../lines/sentences.js';
import type { EditorCommandContext } from './EditorCommandContext.js';
import { fenceCode } from './promptText.js';

const PREFIX = '/';
const MOST_FILES = 50;
const MOST_LINES = 1000;
/** Behind a command: it is done, not only shown. */
const YES = /(?:^|\s)yes$/iu;

/** `/diff`: what turns changed. */
export async function answerDiff(conversation: Conversation, argument: string): Promise<string> {
  const { what, paths } = readFileArgument(argument);
  const found = await conversation.diff(what, { paths });
  if (found.files.length === 0) return words.files.noChanges(found.what);
  const lines = found.patch.trimEnd().split('\n');
  const more = lines.length - MOST_LINES;
  return [
    fenceCode(sanitizeForTerminal(lines.slice(0, MOST_LINES).join('\n')), 'diff'),
    ...(more > 0 ? [words.files.moreLines(more, `huddle diff ${found.units[0]}`)] : []),
    ...noteDiff(found).map(({ text }) => text),
  ].join('\n\n');
}

/** `/undo`: what it would do, or with `yes` behind it what it did. */
export function answerUndo({ conversation, as }: EditorCommandContext, argument: string): Promise<string> {
  const { what, paths } = readFileArgument(argument.replace(YES, ''));
  return perform(argument, (dryRun) => conversation.undo(what, { paths, dryRun, as, prefix: PREFIX }));
}

/** `/apply`: the same for what a turn did in its copy. */
export async function answerApply(
  { conversation, as }: EditorCommandContext,
  argument: string,
): Promise<string> {
  const { what, paths } = readFileArgument(argument.replace(YES, ''));
  if (what === undefined) return words.files.applyWhat;
  return perform(argument, (dryRun) => conversation.apply(what, { paths, dryRun, as, prefix: PREFIX }));
}

async function perform(argument: string, act: (dryRun: boolean) => Promise<FileAction>): Promise<string> {
  if (YES.test(argument)) return formatFileDone(await act(false), PREFIX);
  const plan = await act(true);
  const { action, of } = plan;
  const lines = formatFilePlan(plan, MOST_FILES, `huddle ${action} ${of[0]} --dry-run`);
  // The one that is shown: another could be the newest when it is done.
  const chosen = argument === '' && of.length === 1 ? of[0] : argument;
  const command = [`${PREFIX}${action}`, chosen, 'yes'].filter((word) => word !== '').join(' ');
  return `${fenceCode(lines.join('\n'))}\n\n${words.acp.toDo(command)}`;
}
