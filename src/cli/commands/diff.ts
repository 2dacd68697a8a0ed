import { words } from '../../catalogue/words.js';
import { diffFiles, type FilesDiff } from '../../files/actions/diffFiles.js';
import { readFileHistory } from '../../files/changes/fileHistory.js';
import { prefixPatch } from '../../files/changes/patchSections.js';
import { createPaint, paintPatch } from '../../frontends/lines/paint.js';
import type { FileChange } from '../../models/FileChange.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { sanitizeFileName } from '../../utils/sanitize.js';
import { widthOf } from '../../utils/widthOf.js';
import { openFiles, pathsInSession, prefixInRepository, type TypedChoice } from '../files/sessionFiles.js';
import { withSession } from '../sessions/storedSessions.js';
import { type CliContext, print, printJson, printPieces, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';

interface DiffOptions extends TypedChoice {
  readonly session?: string;
  readonly stat?: boolean;
  readonly names?: boolean;
  readonly json?: boolean;
}

/** Prints what turns changed, as a unified diff that `git apply` takes. */
export function diff(options: DiffOptions, context: CliContext): Promise<number> {
  return withSession(options.session, context, async ({ reader, summary }) => {
    const { id, folder = context.workingFolder } = summary;
    const choice = { what: options.what, paths: pathsInSession(options.paths, folder, context) };
    const history = await readFileHistory(reader.read());
    const found = await diffFiles(history, choice, () => openFiles(id, folder, context));
    if (options.json) printJson(context, { conversationId: id, ...found });
    else if (found.files.length === 0) say(context, words.files.noChanges(found.what));
    else await printDiff(found, prefixInRepository(folder), options, context);
    return EXIT_CODES.done;
  });
}

async function printDiff(
  found: FilesDiff,
  prefix: string,
  { stat, names }: DiffOptions,
  context: CliContext,
): Promise<void> {
  const { files, unlisted, patch, what, isCut, withoutLines, inCopies } = found;
  if (names) for (const { path } of files) print(context, sanitizeFileName(path));
  else if (stat) print(context, formatStat(files, context.stdout.columns));
  else if (context.stdout.isTTY) await printPieces(context, paintLines(patch, context), { isHarmless: true });
  else await printPieces(context, [prefixPatch(patch, prefix)]);
  if (!names && !stat) {
    if (isCut) say(context, words.cli.warning(words.files.cut(what)));
    if (withoutLines.length > 0) say(context, words.files.notInDiff(withoutLines.map(sanitizeFileName)));
  }
  if (unlisted !== undefined) say(context, words.cli.warning(words.files.unlisted(formatNumber(unlisted))));
  if (inCopies.length > 0) say(context, words.files.inCopies(inCopies));
}

/** A screen shows the paths as the folder has them. */
function* paintLines(patch: string, { stdout, env, settings }: CliContext): Generator<string> {
  const paint = createPaint(stdout, env, settings.colours);
  for (const line of paintPatch(patch, paint)) yield `${line}\n`;
}

const USUAL_COLUMNS = 80;
const LONGEST_BAR = 40;

/** A line for each file with the number of changed lines and a bar of signs, and a sum, as git prints them. */
function formatStat(files: readonly FileChange[], columns = USUAL_COLUMNS): string {
  const names = files.map(({ path }) => sanitizeFileName(path));
  const numbers = files.map(describeNumber);
  const [nameWidth, numberWidth] = [names, numbers].map((texts) => Math.max(...texts.map(widthOf)));
  const room = columns - (nameWidth ?? 0) - (numberWidth ?? 0) - 5;
  const most = Math.max(...files.map(({ added = 0, removed = 0 }) => added + removed));
  const scale = Math.min(1, Math.max(1, Math.min(LONGEST_BAR, room)) / most);
  const lines = files.map((file, index) => {
    const [name = '', number = ''] = [names[index], numbers[index]];
    const line = ` ${pad(name, nameWidth)} | ${pad(number, numberWidth, true)} ${bar(file, scale)}`;
    return line.trimEnd();
  });
  const sum = (part: 'added' | 'removed') => files.reduce((total, file) => total + (file[part] ?? 0), 0);
  return [...lines, ` ${words.files.stat(files.length, sum('added'), sum('removed'))}`].join('\n');
}

function describeNumber({ added, removed, isBinary }: FileChange): string {
  if (isBinary) return words.files.binary;
  return added === undefined || removed === undefined ? words.files.notShown : String(added + removed);
}

function bar({ added = 0, removed = 0 }: FileChange, scale: number): string {
  const signs = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round(count * scale)));
  return '+'.repeat(signs(added)) + '-'.repeat(signs(removed));
}

function pad(text: string, width = 0, isNumber = false): string {
  const room = ' '.repeat(width - widthOf(text));
  return isNumber ? room + text : text + room;
}
