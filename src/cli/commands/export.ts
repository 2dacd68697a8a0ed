import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { writePieces } from '../../config/privateFile.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationReader } from '../../store/Store.js';
import { StoreDamagedError } from '../../store/storeErrors.js';
import { EXPORT_WRITERS } from '../../transcript/exportFormats.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { withSession } from '../sessions/storedSessions.js';
import { type CliContext, printPieces, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { showPath } from '../start/paths.js';
import { EXPORT_FORMATS, type ExportFormat } from '../start/RunFlags.js';
import { UsageError } from '../start/reportError.js';

const FILE_MODE = 0o600;

export interface ExportOptions {
  readonly id?: string;
  readonly format: ExportFormat;
  readonly output?: string;
}

/** Writes a stored conversation in a form for others; of a damaged one what can be read, and then says so. */
export function exportSession(options: ExportOptions, context: CliContext): Promise<number> {
  return withSession(options.id, context, async ({ reader, summary }) => {
    const damages: StoreDamagedError[] = [];
    const pieces = EXPORT_WRITERS[options.format](() => readIntact(reader, damages));
    if (options.output === undefined) await printPieces(context, pieces);
    else {
      const file = resolve(context.workingFolder, options.output);
      await writeExport(file, pieces);
      say(context, words.sessions.exported(summary.id, showPath(file, context)));
    }
    const [damage] = damages;
    if (damage !== undefined) throw damage;
    return EXIT_CODES.done;
  });
}

/**
 * Writes a live conversation into a new file and says where. `argument` is a file, whose ending chooses the format, or only
 * a format, or nothing: then the file is named after the session.
 */
export async function exportInChat(
  conversation: Pick<Conversation, 'id' | 'history'>,
  argument: string,
  context: CliContext,
): Promise<string> {
  const format = EXPORT_FORMATS.find((known) => known === argument.toLowerCase());
  const isNamed = argument !== '' && format === undefined;
  const file = isNamed
    ? resolve(context.workingFolder, expandHome(argument, context))
    : findFreeName(join(context.workingFolder, `huddle-${conversation.id}`), format ?? 'md');
  const [path, chosen] = format === undefined ? chooseFormat(file) : [file, format];
  await writeNewFile(
    path,
    EXPORT_WRITERS[chosen](() => conversation.history()),
    context,
  );
  return words.sessions.exportedTo(showPath(path, context));
}

function expandHome(file: string, { env }: CliContext): string {
  return file.replace(/^~(?=\/)/u, env.HOME ?? '~');
}

/** The file with its format: by its ending, which is added if there is none. */
function chooseFormat(file: string): readonly [file: string, format: ExportFormat] {
  const extension = extname(file);
  if (extension === '') return [`${file}.md`, 'md'];
  const format = EXPORT_FORMATS.find((known) => `.${known}` === extension.toLowerCase());
  if (format !== undefined) return [file, format];
  const known = EXPORT_FORMATS.map((each) => `.${each}`);
  throw new UsageError(words.sessions.unknownFormat(sanitizeToOneLine(extension), known));
}

function findFreeName(name: string, format: ExportFormat): string {
  for (let count = 1; ; count++) {
    const file = `${name}${count === 1 ? '' : `-${count}`}.${format}`;
    if (!existsSync(file)) return file;
  }
}

/** Writes into a private file that must not exist, and leaves none behind if that fails. */
async function writeNewFile(file: string, pieces: AsyncIterable<string>, context: CliContext): Promise<void> {
  const shown = showPath(file, context);
  try {
    const descriptor = openSync(file, 'wx', FILE_MODE);
    try {
      for await (const piece of pieces) writeFileSync(descriptor, piece);
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    const isThere = (cause as NodeJS.ErrnoException).code === 'EEXIST';
    const { exportExists, cannotExportHere } = words.sessions;
    const message = isThere ? exportExists(shown) : cannotExportHere(shown, describeSystemError(cause));
    throw new HuddleError('CANNOT_WRITE', message, { cause });
  }
}

/** Reads the events of a log up to the first that is damaged, which is added to `damages`. */
async function* readIntact(
  reader: ConversationReader,
  damages: StoreDamagedError[],
): AsyncGenerator<RecordedEvent> {
  try {
    yield* reader.read();
  } catch (error) {
    if (!(error instanceof StoreDamagedError)) throw error;
    damages.push(error);
  }
}

async function writeExport(file: string, pieces: AsyncIterable<string>): Promise<void> {
  try {
    await writePieces(file, pieces);
  } catch (error) {
    if (error instanceof HuddleError) throw error;
    const message = words.sessions.cannotExport(file, describeSystemError(error));
    throw new HuddleError('CANNOT_WRITE', message, { cause: error });
  }
}
