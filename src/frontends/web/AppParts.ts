import type { ServerResponse } from 'node:http';
import type { Assets } from './assets.js';
import type { Door } from './Door.js';
import type { Call, Handlers } from './routes.js';
import type { BrowserRole, WireError } from './wire.js';

/** Opens the stream of a tab and writes it until its end. Rejects with a HuddleError before the first byte. */
export type OpenStream = (
  call: Call<'stream'>,
  outgoing: ServerResponse,
  lastEventId: number | undefined,
) => Promise<void>;

/** Parts that the server is made of. */
export interface AppParts {
  readonly door: Door;
  readonly handlers: Handlers;
  readonly openStream: OpenStream;
  readonly assets: Assets;
  /** The port it listens on, which names its cookie. */
  readonly port: number;
  readonly version: string;
  /** The code of an error and its sentence for people. */
  describe(error: unknown): WireError;
  /** Hears of every browser that is let in. */
  onLetIn(role: BrowserRole): void;
  /** Hears of every request that is refused, without anything secret. */
  onRefused(refused: RefusalFacts): void;
}

export interface RefusalFacts {
  readonly status: number;
  readonly code: string;
  readonly method: string;
  readonly path: string;
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}
