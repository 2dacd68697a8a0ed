import type { TurnEvent, TurnReader, Verdict } from './Dialect.js';
import { isRecord, lookUp, type UnknownRecord } from './records.js';

/** What every translator remembers; each dialect adds its own. */
export interface ReaderState {
  verdict: Verdict | undefined;
}

/** Translates one kind of record. May change the state; never throws. */
export type Handler<State> = (record: UnknownRecord, state: State) => TurnEvent[];

/** A reader over a table of handlers by the record's `type`. What the table does not know is kept as `raw`. */
export function createTableReader<State extends ReaderState>(
  handlers: Readonly<Record<string, Handler<State>>>,
  state: State,
): TurnReader {
  return {
    read(record) {
      // What comes after the final record is not part of the turn.
      if (state.verdict) return [];
      return isRecord(record) ? dispatch(handlers, 'type', record, state) : [{ type: 'raw', record }];
    },
    get verdict() {
      return state.verdict;
    },
  };
}

/** The handler that a field of the record names; `raw` when there is none. */
export function dispatch<State>(
  handlers: Readonly<Record<string, Handler<State>>>,
  field: string,
  record: UnknownRecord,
  state: State,
): TurnEvent[] {
  const handler = lookUp(handlers, Object.hasOwn(record, field) ? record[field] : undefined);
  return handler ? handler(record, state) : [{ type: 'raw', record }];
}

/** For records that are known and say nothing new. */
export const ignore = (): TurnEvent[] => [];
