import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { words } from '../../catalogue/words.js';
import type { McpCall } from './McpCall.js';
import type { Serving } from './Serving.js';

/** Makes the server of one connection. It holds nothing itself: it may be made twice for one client. */
export function createServer(serving: Serving): Server {
  const server = new Server(
    { name: 'huddle', title: 'Huddle', version: serving.options.version },
    { capabilities: { tools: {}, resources: {} }, instructions: words.mcp.instructions },
  );
  // Loaded when it is asked for: what is loaded before the first answer, a client waits for.
  server.setRequestHandler('tools/list', async () => {
    const { describeTools } = await import('./describeTools.js');
    return { tools: [...(await describeTools(serving))] };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const call = describeCall(server, context);
    const { callTool } = await import('./callTool.js');
    return callTool(params, serving, call);
  });
  const resources = () => import('./reading/resources.js');
  const explain = explainErrors(serving);
  server.setRequestHandler(
    'resources/list',
    explain(async () => (await resources()).listResources(serving)),
  );
  server.setRequestHandler('resources/templates/list', async () => (await resources()).listTemplates());
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
        throw new ProtocolError(ProtocolErrorCode.InternalError, words.cli.error(code, message), { code });
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
  return { client, signal, ...(progressToken !== undefined && { report }) };
}
