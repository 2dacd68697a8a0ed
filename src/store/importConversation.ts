import { closeSync, openSync, readSync } from 'node:fs';
import {
  applyToStatus,
  type ConversationStatus,
  encodeStatus,
  INITIAL_STATUS,
} from '../conversation/ConversationStatus.js';
import { EVENT_VERSION, type RecordedEvent } from '../models/ConversationEvent.js';
import { HuddleError, type ImportFault } from '../models/errors.js';
import type { ConversationId } from '../models/ids.js';
import { JsonLines } from '../utils/jsonLines.js';
import { checkRecord, isOlderEvent } from './eventSchema.js';
import { type ConversationContents, type CreateOptions, isSafeId, type Store } from './Store.js';
import { StoreNewerError, StoreOlderError } from './storeErrors.js';

const MAX_FILE_BYTES = 1024 ** 3;
/** Number of events from which a log is long: shorter ones are read at once. */
const LONG_EVENTS = 256;
const MAX_RECORD_BYTES = 64 * 1024 ** 2;
const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** A log from outside was refused as a whole; `line` is where. */
export class InvalidImportError extends HuddleError<'INVALID_IMPORT'> {
  readonly line: number;
  readonly fault: ImportFault;

  constructor(line: number, fault: ImportFault) {
    super('INVALID_IMPORT', { line, fault });
    this.line = line;
    this.fault = fault;
  }
}

export interface ImportOptions extends CreateOptions {
  /** Keeps the conversation under another id than its own. */
  readonly as?: ConversationId;
}

/** Reads a file piece by piece. */
export function* readChunks(file: string): Generator<Uint8Array> {
  const descriptor = openSync(file, 'r');
  try {
    for (;;) {
      // A chunk of its own each time: lines may be kept by reference.
      const chunk = new Uint8Array(CHUNK_BYTES);
      const bytes = readSync(descriptor, chunk);
      if (bytes === 0) return;
      yield chunk.subarray(0, bytes);
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Saves a log that `formatEventLines` wrote, or that claims so: all events are checked, and all saved or none.
 *
 * @param chunks The file, for instance from `readChunks`.
 * @returns The id under which it was saved.
 * @throws {@link InvalidImportError} (as a rejection) with the `line` that is wrong.
 * @throws {@link StoreNewerError}, {@link StoreOlderError} (as a rejection) if another version of Huddle wrote it.
 * @throws {@link ConversationExistsError} (as a rejection) if the store has its id; choose another one with `as`.
 *
 * @example
 * ```ts
 * const imported = await importConversation(store, readChunks('conversation.jsonl'));
 * ```
 */
export async function importConversation(
  store: Store,
  chunks: Iterable<Uint8Array>,
  { as, folder }: ImportOptions = {},
): Promise<ConversationId> {
  const events = readEventLines(chunks);
  const { value: first, done } = events.next();
  if (done || first.type !== 'conversation-start') throw new InvalidImportError(1, 'no-start');
  const id = as ?? first.conversationId;
  if (!isSafeId(id)) throw new InvalidImportError(1, 'bad-id');
  const all = prepend({ ...first, conversationId: id }, events);
  await store.createWhole(id, wholeLog(all), { folder });
  return id;
}

/** A log to be saved; a long one with a checkpoint at its end, so that opening or showing it need not read all of it. */
function wholeLog(events: Iterable<RecordedEvent>): ConversationContents {
  const fold = new StatusFold();
  return {
    restored: fold.through(events),
    checkpoint: () =>
      fold.status !== null && fold.lastSeq >= LONG_EVENTS
        ? { seq: fold.lastSeq, value: encodeStatus(fold.status) }
        : null,
  };
}

/** Folds events on their way. */
class StatusFold {
  /** Null if an event is one that Huddle would not write: whoever reads the log is told which. */
  status: ConversationStatus | null = INITIAL_STATUS;
  lastSeq = 0;

  *through(events: Iterable<RecordedEvent>): Generator<RecordedEvent> {
    for (const event of events) {
      this.#add(event);
      this.lastSeq = event.seq;
      yield event;
    }
  }

  #add(event: RecordedEvent): void {
    try {
      this.status &&= applyToStatus(this.status, event);
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      this.status = null;
    }
  }
}

function* prepend(first: RecordedEvent, rest: Iterable<RecordedEvent>): Generator<RecordedEvent> {
  yield first;
  yield* rest;
}

/** Reads the lines of a log that was exported, and checks each. Throws as `importConversation` rejects. */
export function* readEventLines(chunks: Iterable<Uint8Array>): Generator<RecordedEvent, undefined> {
  const lines = new JsonLines({ maxLineBytes: MAX_RECORD_BYTES });
  const check = createCheck();
  let bytes = 0;
  let line = 0;
  const readable = function* (records: readonly unknown[]): Generator<RecordedEvent> {
    for (const record of records) yield check(record, ++line);
    if (lines.skippedLines > 0) throw new InvalidImportError(line + 1, 'record-too-large');
    if (lines.badLines > 0) throw new InvalidImportError(line + 1, 'no-json');
  };
  for (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_FILE_BYTES) throw new InvalidImportError(line + 1, 'file-too-large');
    for (const piece of splitAtLineEnds(chunk)) yield* readable(lines.push(piece));
  }
  yield* readable(lines.end());
}

/** Yields one line at a time, so that a line that is no record is found in its place, not at the next. */
function* splitAtLineEnds(chunk: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length; ) {
    const end = chunk.indexOf(LINE_FEED, start) + 1 || chunk.length;
    yield chunk.subarray(start, end);
    start = end;
  }
}

/** Checks one record after the other, each by itself and against those before it. */
function createCheck(): (record: unknown, line: number) => RecordedEvent {
  const messageIds = new Set<string>();
  const startedTurns = new Set<string>();
  const endedTurns = new Set<string>();
  return (record, line) => {
    const refuse = (fault: ImportFault) => new InvalidImportError(line, fault);
    const requireNew = (ids: Set<string>, id: string, twice: 'message' | 'turn-start' | 'turn-end') => {
      if (ids.has(id)) throw refuse({ twice, id });
      ids.add(id);
    };
    if (isOlderEvent(record)) throw new StoreOlderError({ line });
    const event = readEvent(record, refuse);
    if (event.seq !== line) throw refuse({ found: event.seq, expected: line });
    if (event.type === 'conversation-start' && line > 1) throw refuse('second-start');
    if (event.type === 'message-added') requireNew(messageIds, event.message.id, 'message');
    if (event.type === 'turn-start') requireNew(startedTurns, event.turnId, 'turn-start');
    if (event.type === 'turn-end') requireNew(endedTurns, event.turnId, 'turn-end');
    return event;
  };
}

function readEvent(record: unknown, refuse: (fault: ImportFault) => Error): RecordedEvent {
  const version = (record as { v?: unknown } | null)?.v;
  if (typeof version === 'number' && version > EVENT_VERSION)
    throw new StoreNewerError('log', version, EVENT_VERSION);
  const checked = checkRecord(record);
  if (checked.fault !== undefined) throw refuse(checked.fault);
  return checked.event;
}
