import { words } from '../../../catalogue/words.js';
import type { FileAction } from '../../../coordinator/files/describeFileAction.js';
import { describePatch } from '../../../presentation/describePatch.js';
import { formatNumber } from '../../../utils/formatNumber.js';
import { sanitizeFileName } from '../../../utils/sanitize.js';
import { formatFilePlan } from '../../print/formatFileAction.js';
import { note } from '../screen/Paragraph.js';
import type { CommandContext } from './CommandContext.js';

const PREFIX = '/';
/** Files of a plan, and lines of a diff, that are shown: what is above has scrolled away. */
const MOST_FILES = 20;
const MOST_LINES = 400;

/** `/diff`: shows what turns changed. */
export async function showDiff(context: CommandContext, argument: string): Promise<void> {
  const { what, paths } = readArgument(argument);
  const found = await context.conversation.diff(what, { paths });
  const { noChanges, notInDiff, unlisted, cut, inCopies } = words.files;
  if (found.files.length === 0) return context.print([note(noChanges(found.what))]);
  let room = MOST_LINES;
  for (const { title, lines } of describePatch(found.patch)) {
    if (room > 0) context.print([{ kind: 'diff', title, lines: lines.slice(0, room) }]);
    room -= lines.length;
  }
  const command = `huddle diff ${found.units[0]}`;
  if (room < 0) context.print([note(words.files.moreLines(-room, command))]);
  if (found.isCut) context.print([note(cut(found.what), 'warning')]);
  if (found.withoutLines.length > 0)
    context.print([note(notInDiff(found.withoutLines.map(sanitizeFileName)))]);
  if (found.unlisted !== undefined) context.print([note(unlisted(formatNumber(found.unlisted)), 'warning')]);
  if (found.inCopies.length > 0) context.print([note(inCopies(found.inCopies))]);
}

/** `/undo`: shows what it would do, and does it after a yes. */
export function undoChanges(context: CommandContext, argument: string): Promise<void> {
  const { what, paths } = readArgument(argument);
  return perform(context, 'undo', (dryRun, chosen = what) =>
    context.conversation.undo(chosen, { paths, dryRun, as: context.speaker, prefix: PREFIX }),
  );
}

/** `/apply`: the same for what a turn did in its copy. */
export async function applyChanges(context: CommandContext, argument: string): Promise<void> {
  const { what = '', paths } = readArgument(argument);
  if (what === '') return context.print([note(words.files.applyWhat, 'warning')]);
  return perform(context, 'apply', (dryRun) =>
    context.conversation.apply(what, { paths, dryRun, as: context.speaker, prefix: PREFIX }),
  );
}

async function perform(
  context: CommandContext,
  action: FileAction['action'],
  run: (dryRun: boolean, what?: string) => Promise<FileAction>,
): Promise<void> {
  const { ask, askHint, declined, toRedo, toUndo } = words.files;
  const plan = await run(true);
  const [title = '', ...lines] = formatFilePlan(plan, MOST_FILES, `huddle ${action} ${plan.of[0]} --dry-run`);
  context.print([{ kind: 'details', title, text: lines.join('\n') }]);
  context.ask({
    question: ask[action],
    hint: askHint[action],
    declined: declined[action],
    onYes: async () => {
      // The one that was shown: another could be the newest by now.
      const { id = '' } = await run(false, plan.of.length === 1 ? plan.of[0] : undefined);
      context.print([note((action === 'undo' ? toRedo : toUndo)(`${PREFIX}undo ${id}`))]);
    },
  });
}

/** `4 -- src/a.ts src/b.ts`. */
function readArgument(argument: string): { readonly what?: string; readonly paths?: readonly string[] } {
  const [before = '', after = ''] = ` ${argument} `.split(/\s--\s/u);
  const what = before.trim();
  const paths = [...after.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/gu)].map(
    ([, single, double, word]) => single ?? double ?? word ?? '',
  );
  return { ...(what !== '' && { what }), ...(paths.length > 0 && { paths }) };
}
