import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { english } from '../../catalogue/english.js';
import { explainTurns } from '../../coordinator/explainTurn.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationReader } from '../../store/Store.js';
import { formatEventDocument, formatEventLines } from '../../transcript/eventFormats.js';
import { formatHtml } from '../../transcript/html.js';
import { formatMarkdown } from '../../transcript/markdown.js';
import { createTranscript } from '../../transcript/Transcript.js';
import { showPath } from '../chooseTeam.js';
import { EXIT_CODES } from '../exitCodes.js';
import type { ExportFormat } from '../outputFormats.js';
import { printPieces, type Surroundings, say } from '../Surroundings.js';
import { withSession } from '../sessions.js';

const FILE_MODE = 0o600;

export interface ExportOptions {
  readonly id?: string;
  readonly format: ExportFormat;
  readonly output?: string;
}

/** Every format, piece by piece. */
const WRITERS: Readonly<Record<ExportFormat, (reader: ConversationReader) => Iterable<string>>> = {
  md: (reader) => [formatMarkdown(createTranscript(reader.read()))],
  json: (reader) => formatEventDocument(reader.read()),
  jsonl: (reader) => formatEventLines(reader.read()),
  html: (reader) => [formatHtml(createTranscript(reader.read()), { plans: collectPlans(reader) })],
};

/** Writes a stored conversation down in a form for others. */
export function exportSession(options: ExportOptions, surroundings: Surroundings): Promise<number> {
  return withSession(options.id, surroundings, async ({ reader, summary }) => {
    const pieces = WRITERS[options.format](reader);
    if (options.output === undefined) await printPieces(surroundings, pieces);
    else {
      const file = resolve(surroundings.workingFolder, options.output);
      writePieces(file, pieces);
      say(surroundings, english.sessions.exported(summary.id, showPath(file, surroundings)));
    }
    return EXIT_CODES.done;
  });
}

function collectPlans(reader: ConversationReader) {
  const turns = [...explainTurns(reader.read())];
  return new Map(turns.map(({ turnId, plan, sent, isExact }) => [turnId, { plan, sent, isExact }]));
}

/** What people said in private goes into a private file; one that is there keeps its mode. */
function writePieces(file: string, pieces: Iterable<string>): void {
  const descriptor = attempt(file, () => openSync(file, 'w', FILE_MODE));
  try {
    for (const piece of pieces) attempt(file, () => writeSync(descriptor, piece));
  } finally {
    closeSync(descriptor);
  }
}

function attempt<Value>(file: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new HuddleError('CANNOT_WRITE', english.sessions.cannotExport(file, reason), { cause: error });
  }
}
