import type { HttpBindings } from '@hono/node-server';

/** Types of the server for its router: the request and the answer of Node. */
export interface WebEnvironment {
  readonly Bindings: HttpBindings;
}
