import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { untilAborted } from '../../utils/untilAborted.js';
import { createServer } from './createServer.js';
import { LineTransport, type McpPipes } from './LineTransport.js';
import type { McpOptions } from './McpOptions.js';
import { Serving } from './Serving.js';

/** Milliseconds in which everything is stopped and saved when the client is gone. */
const LAST_MILLISECONDS = 2500;

/** Serves MCP over pipes until the input ends or the signal comes. Resolves with whether nothing of ours runs any more. */
export async function serveMcp(options: McpOptions, pipes: McpPipes, signal: AbortSignal): Promise<boolean> {
  const serving = new Serving(options);
  const transport = new LineTransport(pipes);
  serveStdio(() => createServer(serving), {
    transport,
    onerror: (error) => options.log(error.message),
  });
  await untilAborted(transport.ended, signal);
  // Which aborts all calls.
  await transport.close();
  const closing = serving.close().then(() => true);
  return (await untilAborted(closing, AbortSignal.timeout(LAST_MILLISECONDS))) ?? false;
}
