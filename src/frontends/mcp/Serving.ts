import type { Asks } from './Asks.js';
import type { McpOptions } from './McpOptions.js';

/** Everything that the tools of a server share. It outlives connections: a client may try one before it opens another. */
export class Serving {
  readonly options: McpOptions;
  #asks: Promise<Asks> | undefined;

  constructor(options: McpOptions) {
    this.options = options;
  }

  /** All asks. Loaded when they are first needed: a client waits for the first answer. */
  asks(): Promise<Asks> {
    this.#asks ??= import('./Asks.js').then(({ Asks }) => new Asks(this.options));
    return this.#asks;
  }

  /** Stops everything that was asked. The signals of all calls have come before. */
  async close(): Promise<void> {
    await (await this.#asks)?.close();
  }
}
