import { statSync } from 'node:fs';
import type { InvalidCassetteFacts } from '../catalogue/english/cassetteErrors.js';
import { EVENT_VERSION, type RecordedEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import { InvalidImportError, readChunks, readEventLines } from '../store/importConversation.js';
import { StoreNewerError, StoreOlderError } from '../store/storeErrors.js';
import { type Cassette, indexCassette } from './Cassette.js';

/** Size of the largest file that is played. */
export const MOST_MEGABYTES = 64;

/** A cassette cannot be played, and why; nothing was run. */
export class InvalidCassetteError extends HuddleError<'INVALID_CASSETTE'> {
  readonly fault: InvalidCassetteFacts['fault'];

  constructor(facts: InvalidCassetteFacts) {
    super('INVALID_CASSETTE', facts);
    this.fault = facts.fault;
  }
}

/** A cassette: a file, or its events. */
export type CassetteSource = { readonly file: string } | { readonly events: Iterable<RecordedEvent> };

/**
 * Reads a cassette and checks that it can be played.
 *
 * @throws {@link InvalidCassetteError} if it is damaged, too large, from another version, or cut off in a turn.
 */
export function openCassette(source: CassetteSource): Cassette {
  const file = 'file' in source ? source.file : undefined;
  const events = 'file' in source ? readCassette(source.file) : [...source.events];
  const fail = (fault: InvalidCassetteFacts['fault']) => new InvalidCassetteError({ file, fault });
  if (events.length === 0) throw fail({ kind: 'empty' });
  if (events[0]?.type !== 'conversation-start') throw fail({ kind: 'damaged', line: 1, fault: 'no-start' });
  const newer = events.find(({ v }) => v > EVENT_VERSION);
  if (newer !== undefined) throw fail({ kind: 'newer', found: newer.v, known: EVENT_VERSION });
  const turnIds = findCutOff(events);
  if (turnIds.length > 0) throw fail({ kind: 'cut-off', turnIds });
  return indexCassette(events);
}

/** Turns whose end is in no fact. */
function findCutOff(events: readonly RecordedEvent[]): string[] {
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === 'turn-start') open.add(event.turnId);
    if (event.type === 'turn-end') open.delete(event.turnId);
  }
  return [...open];
}

function readCassette(file: string): RecordedEvent[] {
  const fail = (fault: InvalidCassetteFacts['fault'], cause?: unknown) =>
    Object.assign(new InvalidCassetteError({ file, fault }), { cause });
  if (statSync(file).size > MOST_MEGABYTES * 1024 ** 2)
    throw fail({ kind: 'too-large', megabytes: MOST_MEGABYTES });
  try {
    return [...readEventLines(readChunks(file))];
  } catch (error) {
    if (error instanceof InvalidImportError)
      throw fail({ kind: 'damaged', line: error.line, fault: error.fault }, error);
    if (error instanceof StoreNewerError)
      throw fail({ kind: 'newer', found: error.found, known: error.known }, error);
    if (error instanceof StoreOlderError) throw fail({ kind: 'older' }, error);
    throw error;
  }
}
