import { introductionOf } from '../../catalogue/members.js';
import type { Catalogue } from '../../catalogue/words.js';
import { listUsage, summarizeUsage } from '../../conversation/usage.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { FileAction } from '../../files/actions/describeFileAction.js';
import { fenceCode } from '../../markdown/fences.js';
import { explainUnpriced, findUnpriced } from '../../presentation/cost.js';
import { formatFilePlan } from '../../presentation/formatFilePlan.js';
import { readFileArgument } from '../../presentation/readTypedLine.js';
import { namesIn, showMembers } from '../../presentation/Telling.js';
import type { ForkedConversation } from '../../store/forkConversation.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import { formatCost } from '../lines/formatCost.js';
import { explainAsTyped } from '../lines/formatWhy.js';
import { formatFileDone, noteDiff } from '../lines/sentences.js';

/** Things a command that is typed in an editor may use. */
export interface EditorCommandContext {
  readonly conversation: Conversation;
  /** Name of the person who types. */
  readonly as?: string | undefined;
  readonly words: Catalogue;
  /** Saves a copy of the session, which continues on its own. */
  fork(): Promise<ForkedConversation>;
}

const PREFIX = '/';
const MOST_FILES = 50;
const MOST_LINES = 1000;
/** Behind a command: it is done, not only shown. */
const YES = /(?:^|\s)yes$/iu;

/** `/members`: a line for each member: who it is, what it runs, what it may do. */
export function answerMembers({ conversation, words }: EditorCommandContext): string {
  return showMembers(conversation.team.members)
    .map((member) => {
      const title = member.title === undefined ? [] : [member.title];
      return `- **${member.name}** · ${[...title, ...introductionOf(member, words)].join(' · ')}`;
    })
    .join('\n');
}

/** `/cost`: the usage by turn, by member, and in total. */
export async function answerCost({ conversation, words }: EditorCommandContext): Promise<string> {
  const entries = await listUsage(conversation.history());
  if (entries.length === 0) return words.cost.nothing(conversation.id);
  const members = showMembers(conversation.team.members);
  const advice = explainUnpriced(findUnpriced(summarizeUsage(entries), members), words);
  const table = formatCost(entries, namesIn({ members }), words);
  return [fenceCode(table), ...advice.map(sanitizeToOneLine)].join('\n\n');
}

/** `/why`: what a turn was sent and what was left out, or the text itself; by default of the last turn. */
export async function answerWhy(
  { conversation, words }: EditorCommandContext,
  argument: string,
): Promise<string> {
  const nameOf = namesIn({ members: showMembers(conversation.team.members) });
  return fenceCode(await explainAsTyped(() => conversation.history(), argument, nameOf, words));
}

/** `/diff`: what turns changed. */
export async function answerDiff(
  { conversation, words }: EditorCommandContext,
  argument: string,
): Promise<string> {
  const { what, paths } = readFileArgument(argument);
  const found = await conversation.diff(what, { paths });
  if (found.files.length === 0) return words.files.noChanges(found.what);
  const lines = found.patch.trimEnd().split('\n');
  const more = lines.length - MOST_LINES;
  return [
    fenceCode(sanitizeForTerminal(lines.slice(0, MOST_LINES).join('\n')), 'diff'),
    ...(more > 0 ? [words.files.moreLines(more, `huddle diff ${found.units[0]}`)] : []),
    ...noteDiff(found, words).map(({ text }) => text),
  ].join('\n\n');
}

/** `/undo`: what it would do, or with `yes` behind it what it did. */
export function answerUndo(context: EditorCommandContext, argument: string): Promise<string> {
  const { conversation, as } = context;
  const { what, paths } = readFileArgument(argument.replace(YES, ''));
  return planOrDo(context, argument, (dryRun) =>
    conversation.undo(what, { paths, dryRun, as, prefix: PREFIX }),
  );
}

/** `/apply`: the same for what a turn did in its copy. */
export async function answerApply(context: EditorCommandContext, argument: string): Promise<string> {
  const { conversation, as, words } = context;
  const { what, paths } = readFileArgument(argument.replace(YES, ''));
  if (what === undefined) return words.files.applyWhat;
  return planOrDo(context, argument, (dryRun) =>
    conversation.apply(what, { paths, dryRun, as, prefix: PREFIX }),
  );
}

async function planOrDo(
  { words }: EditorCommandContext,
  argument: string,
  act: (dryRun: boolean) => Promise<FileAction>,
): Promise<string> {
  if (YES.test(argument)) return formatFileDone(await act(false), PREFIX, words);
  const plan = await act(true);
  const { action, of } = plan;
  const lines = formatFilePlan(plan, MOST_FILES, `huddle ${action} ${of[0]} --dry-run`, words);
  // The one that is shown: another could be the newest when it is done.
  const chosen = argument === '' && of.length === 1 ? of[0] : argument;
  const command = [`${PREFIX}${action}`, chosen, 'yes'].filter((word) => word !== '').join(' ');
  return `${fenceCode(lines.join('\n'))}\n\n${words.acp.toDo(command)}`;
}
