import type { House } from '../../coordinator/Conversations.js';
import type { ReadingSource } from './reading/openReading.js';
import type { BrowserRole, WireError } from './wire.js';

/** Settings of a web server, and what it tells to whoever started it. */
export interface WebOptions {
  /** The port to listen on, or none; 0 is any. Default: 4747, or the next one that is free. */
  readonly port?: number | undefined;
  /** No browser may do more than look. */
  readonly isWatchOnly: boolean;
  /** The folder whose team talks. */
  readonly folder: string;
  /** The folder with the built page. */
  readonly pageFolder: string;
  readonly version: string;
  /** The thread that reads whole conversations. */
  readonly reading: Pick<ReadingSource, 'module' | 'data'>;
  /** Opens conversations with simulated agents. Absent: there is no demonstration. */
  readonly openDemo?: (() => Promise<House>) | undefined;
  /** The code of an error and its sentence for people. */
  describe(error: unknown): WireError;
  /** Called once, when the server can be reached. */
  onListening(server: ListeningServer): void;
  /** Called for each browser that is let in, with the number of all that are. */
  onLetIn(role: BrowserRole, browsers: number): void;
  /** Hears of each request that is refused, without anything secret: for a debug log. */
  log(line: string): void;
}

/** A server that can be reached. */
export interface ListeningServer {
  readonly port: number;
  /** Makes a code that lets one browser in. */
  invite(): string;
}

/** The end of a web server. */
export interface WebExit {
  /** Everything was closed in time. Otherwise something may still run. */
  readonly isOver: boolean;
}
