import type { Asks } from './asking/Asks.js';
import type { McpOptions } from './McpOptions.js';

/** Everything that the tools of a server share. It outlives connections: a client may try one before it opens another. */
export interface Serving {
  readonly options: McpOptions;
  readonly asks: Asks;
}
