import { closeSync, openSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { replaceFile } from '../../config/replaceFile.js';
import { explainTurns } from '../../coordinator/explainTurn.js';
import type { RecordedEvent } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationReader } from '../../store/Store.js';
import { StoreDamagedError } from '../../store/storeErrors.js';
import { formatEventDocument, formatEventLines } from '../../transcript/eventFormats.js';
import { formatHtml } from '../../transcript/html.js';
import { formatMarkdown } from '../../transcript/markdown.js';
import { createTranscript } from '../../transcript/Transcript.js';
import { toArray } from '../../utils/AnyIterable.js';
import { type CliContext, printPieces, say } from '../CliContext.js';
import { showPath } from '../chooseTeam.js';
import { EXIT_CODES } from '../exitCodes.js';
import type { ExportFormat } from '../outputFormats.js';
import { withSession } from '../sessions.js';

const FILE_MODE = 0o600;
const MODE_BITS = 0o777;

export interface ExportOptions {
  readonly id?: string;
  readonly format: ExportFormat;
  readonly output?: string;
}

type Read = () => AsyncIterable<RecordedEvent>;

/** Every format, piece by piece. */
const WRITERS: Readonly<Record<ExportFormat, (read: Read) => AsyncIterable<string>>> = {
  async *md(read) {
    yield formatMarkdown(await createTranscript(read()));
  },
  json: (read) => formatEventDocument(read()),
  jsonl: (read) => formatEventLines(read()),
  async *html(read) {
    yield formatHtml(await createTranscript(read()), { plans: await collectPlans(read()) });
  },
};

/** Writes a stored conversation in a form for others; of a damaged one what can be read, and then says so. */
export function exportSession(options: ExportOptions, context: CliContext): Promise<number> {
  return withSession(options.id, context, async ({ reader, summary }) => {
    const damages: StoreDamagedError[] = [];
    const pieces = WRITERS[options.format](() => readIntact(reader, damages));
    if (options.output === undefined) await printPieces(context, pieces);
    else {
      const file = resolve(context.workingFolder, options.output);
      await writePieces(file, pieces);
      say(context, words.sessions.exported(summary.id, showPath(file, context)));
    }
    const [damage] = damages;
    if (damage !== undefined) throw damage;
    return EXIT_CODES.done;
  });
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

async function collectPlans(events: AsyncIterable<RecordedEvent>) {
  const turns = await toArray(explainTurns(events));
  return new Map(turns.map(({ turnId, plan, sent, isExact }) => [turnId, { plan, sent, isExact }]));
}

/**
 * Writes into a private file what people said in private. An existing file keeps its mode, and its text until the new one
 * is whole; a device or a pipe takes what comes.
 */
async function writePieces(file: string, pieces: AsyncIterable<string>): Promise<void> {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) await replaceFile(file, pieces, FILE_MODE);
    else if (found.isFile()) await replaceFile(realpathSync(file), pieces, found.mode & MODE_BITS);
    else await streamPieces(file, pieces);
  } catch (error) {
    if (error instanceof HuddleError) throw error;
    const message = words.sessions.cannotExport(file, describeSystemError(error));
    throw new HuddleError('CANNOT_WRITE', message, { cause: error });
  }
}

async function streamPieces(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const descriptor = openSync(file, 'w');
  try {
    for await (const piece of pieces) writeFileSync(descriptor, piece);
  } finally {
    closeSync(descriptor);
  }
}
