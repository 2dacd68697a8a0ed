import type { ToolKind } from '@agentclientprotocol/sdk/unstable';
import type { ReaderEvent, TurnReader, Verdict } from './Dialect.js';
import { sentenceIn } from './failures.js';
import { fieldOf, isRecord, lookUp, type UnknownRecord } from './records.js';

/** State that every translator remembers; each dialect adds its own. */
export class ReaderState {
  verdict: Verdict | undefined;
  /** An error that the final record may be about to repeat: passed on with the next record, unless that does. */
  heldError: string | undefined;
}

/** Translates one kind of record. May change the state; never throws. */
export type Handler<State> = (record: UnknownRecord, state: State) => ReaderEvent[];

/**
 * A reader over a table of handlers by the record's `type`. What the table does not know is kept as `raw`. `readEnd` is
 * what follows from the end of the output.
 */
export function createTableReader<State extends ReaderState>(
  handlers: Readonly<Record<string, Handler<State>>>,
  state: State,
  readEnd: (state: State) => ReaderEvent[] = ignore,
): TurnReader {
  return {
    read(record) {
      // What comes after the final record is not part of the turn.
      if (state.verdict) return [];
      const { heldError } = state;
      state.heldError = undefined;
      const events = dispatch(handlers, 'type', record, state);
      if (heldError === undefined || isRepeated(heldError, state)) return events;
      return [{ type: 'error', message: heldError }, ...events];
    },
    end: () => [
      ...(state.heldError === undefined ? [] : [{ type: 'error', message: state.heldError } as const]),
      ...readEnd(state),
    ],
    get verdict() {
      return state.verdict;
    },
  };
}

function isRepeated(error: string, { verdict }: ReaderState): boolean {
  return verdict?.ok === false && 'detail' in verdict.failure && verdict.failure.detail === sentenceIn(error);
}

/** The handler that a field of the record names; `raw` when there is none. */
export function dispatch<State>(
  handlers: Readonly<Record<string, Handler<State>>>,
  field: string,
  record: unknown,
  state: State,
): ReaderEvent[] {
  const handler = lookUp(handlers, fieldOf(record, field));
  return handler && isRecord(record) ? handler(record, state) : [{ type: 'raw', record }];
}

/** For records that are known and say nothing new. */
export const ignore = (): ReaderEvent[] => [];

/** The end of a block of deltas that is whole, or was given up; nothing if none is being written. */
export function endBlock(state: { isWriting: boolean }, type: 'text-end' | 'text-reset'): ReaderEvent[] {
  if (!state.isWriting) return [];
  state.isWriting = false;
  return [{ type }];
}

/** A block of text; an empty one is nothing to tell. */
export function blockOf(type: 'text' | 'thinking', text: string | undefined): ReaderEvent[] {
  return text ? [{ type, text }] : [];
}

/** The kinds of a dialect's tools by name, in the words of the Agent Client Protocol; any other tool may do anything: `other`. */
export type ToolKinds = Readonly<Record<string, ToolKind>>;
