import type { FileAction } from '../../../files/actions/describeFileAction.js';
import { formatFilePlan } from '../../../presentation/formatFilePlan.js';
import { note } from '../../../presentation/Paragraph.js';
import { describePatch } from '../../../presentation/readPatch.js';
import { readFileArgument } from '../../../presentation/readTypedLine.js';
import { noteDiff } from '../../lines/sentences.js';
import type { CommandContext } from './CommandContext.js';

const PREFIX = '/';
/** Files of a plan, and lines of a diff, that are shown: what is above has scrolled away. */
const MOST_FILES = 20;
const MOST_LINES = 400;

/** `/diff`: shows what turns changed. */
export async function showDiff(context: CommandContext, argument: string): Promise<void> {
  const { words } = context.options;
  const { what, paths } = readFileArgument(argument);
  const found = await context.conversation.diff(what, { paths });
  if (found.files.length === 0) return context.print([note(words.files.noChanges(found.what))]);
  let room = MOST_LINES;
  for (const { title, lines } of describePatch(found.patch)) {
    if (room > 0) context.print([{ kind: 'diff', title, lines: lines.slice(0, room) }]);
    room -= lines.length;
  }
  const command = `huddle diff ${found.units[0]}`;
  if (room < 0) context.print([note(words.files.moreLines(-room, command))]);
  for (const { text, tone } of noteDiff(found, words)) context.print([note(text, tone)]);
}

/** `/undo`: shows what it would do, and does it after a yes. */
export function undoChanges(context: CommandContext, argument: string): Promise<void> {
  const { what, paths } = readFileArgument(argument);
  return perform(context, 'undo', (dryRun, chosen = what) =>
    context.conversation.undo(chosen, { paths, dryRun, as: context.speaker, prefix: PREFIX }),
  );
}

/** `/apply`: the same for what a turn did in its copy. */
export async function applyChanges(context: CommandContext, argument: string): Promise<void> {
  const { what = '', paths } = readFileArgument(argument);
  if (what === '') return context.print([note(context.options.words.files.applyWhat, 'warning')]);
  return perform(context, 'apply', (dryRun) =>
    context.conversation.apply(what, { paths, dryRun, as: context.speaker, prefix: PREFIX }),
  );
}

async function perform(
  context: CommandContext,
  action: FileAction['action'],
  run: (dryRun: boolean, what?: string) => Promise<FileAction>,
): Promise<void> {
  const { ask, askHint, declined, toRedo, toUndo } = context.options.words.files;
  const plan = await run(true);
  const [title = '', ...lines] = formatFilePlan(
    plan,
    MOST_FILES,
    `huddle ${action} ${plan.of[0]} --dry-run`,
    context.options.words,
  );
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
