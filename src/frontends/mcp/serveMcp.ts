import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { untilAborted } from '../../utils/untilAborted.js';
import { LineTransport, type McpPipes } from './LineTransport.js';
import type { McpCall, McpOptions } from './McpOptions.js';
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

/** Makes the server of one connection. It holds nothing itself: it may be made twice for one client. */
function createServer(serving: Serving): Server {
  const server = new Server(
    { name: 'huddle', title: 'Huddle', version: serving.options.version },
    { capabilities: { tools: {}, resources: {} }, instructions: serving.options.words.mcp.instructions },
  );
  // Loaded when it is asked for: what is loaded before the first answer, a client waits for.
  server.setRequestHandler('tools/list', async () => {
    const { describeTools } = await import('./tools.js');
    return { tools: [...(await describeTools(serving))] };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const call = describeCall(server, context);
    const { callTool } = await import('./callTool.js');
    return callTool(params, serving, call);
  });
  const resources = () => import('./resources.js');
  const explain = explainErrors(serving);
  server.setRequestHandler(
    'resources/list',
    explain(async () => (await resources()).listResources(serving)),
  );
  server.setRequestHandler('resources/templates/list', async () =>
    (await resources()).listTemplates(serving.options.words),
  );
  server.setRequestHandler(
    'resources/read',
    explain(async ({ params }: { readonly params: { readonly uri: string } }) =>
      (await resources()).readResource(params.uri, serving),
    ),
  );
  return server;
}

/** An error of ours in an answer that has no room for it is an error of the protocol, in our words. */
function explainErrors({ options }: Serving) {
  return <Request, Result>(handle: (request: Request) => Promise<Result>) =>
    async (request: Request): Promise<Result> => {
      try {
        return await handle(request);
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        const { code, message } = options.describe(error);
        throw new ProtocolError(ProtocolErrorCode.InternalError, options.words.cli.error(code, message), {
          code,
        });
      }
    };
}

function describeCall(server: Server, { mcpReq }: ServerContext): McpCall {
  const { signal, envelope, _meta: meta } = mcpReq;
  // Since 2026-07-28 every request names the client; before, the first one did.
  const { [CLIENT_INFO_META_KEY]: named = server.getClientVersion() } = (envelope ?? {}) as {
    readonly [CLIENT_INFO_META_KEY]?: { readonly name: string };
  };
  const client = named?.name ?? '';
  const progressToken = meta?.progressToken;
  let progress = 0;
  const report = (message: string): void => {
    progress += 1;
    const params = { progressToken, progress, message };
    // The client may be gone, which the transport hears of.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  return { client, signal, report: progressToken === undefined ? undefined : report };
}
