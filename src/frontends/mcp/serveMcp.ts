import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { untilAborted } from '../../utils/untilAborted.js';
import { Asks } from './asking/Asks.js';
import { createServer } from './createServer.js';
import { LineTransport, type McpPipes } from './LineTransport.js';
import type { McpOptions } from './McpOptions.js';

/** Milliseconds in which everything is stopped and saved when the client is gone. */
const LAST_MILLISECONDS = 2500;

/** Serves MCP over pipes until the input ends or the signal comes. Resolves with whether nothing of ours runs any more. */
export async function serveMcp(options: McpOptions, pipes: McpPipes, signal: AbortSignal): Promise<boolean> {
  const asks = new Asks(options);
  const transport = new LineTransport(pipes);
  serveStdio(() => createServer({ options, asks }), {
    transport,
    onerror: (error) => options.log(error.message),
  });
  await untilAborted(transport.ended, signal);
  // Which aborts all calls.
  await transport.close();
  const closing = asks.close().then(() => true);
  return (await untilAborted(closing, AbortSignal.timeout(LAST_MILLISECONDS))) ?? false;
}
