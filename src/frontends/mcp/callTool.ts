import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { words } from '../../catalogue/words.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import type { McpCall, Reply } from './McpCall.js';
import { readArguments } from './parameters.js';
import { sessionUri } from './reading/resourceUris.js';
import type { Serving } from './Serving.js';
import { isToolName, TOOL_NAMES, TOOL_PARAMETERS, type ToolName } from './toolParameters.js';
import { TOOLS } from './tools.js';

/** A tool that a client calls, with arguments as it gave them. */
interface CalledTool {
  readonly name: string;
  readonly arguments?: unknown;
}

/** Calls a tool. What a person or a model can mend is a result: clients show errors of the protocol to neither. */
export async function callTool(tool: CalledTool, serving: Serving, call: McpCall): Promise<CallToolResult> {
  const { name } = tool;
  if (!isToolName(name))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      words.mcp.unknownTool(sanitizeToOneLine(name), TOOL_NAMES),
    );
  try {
    return showReply(await perform(name, tool.arguments, serving, call));
  } catch (error) {
    return showReply(describeFailure(error, serving));
  }
}

async function perform<Name extends ToolName>(
  name: Name,
  given: unknown,
  serving: Serving,
  call: McpCall,
): Promise<Reply> {
  const checked = readArguments(given, TOOL_PARAMETERS[name]);
  const tool = await TOOLS[name]();
  // The compiler does not see that the arguments of a tool are those that the tool takes.
  return tool(checked as Parameters<typeof tool>[0], serving, call);
}

function describeFailure(error: unknown, { options }: Serving): Reply {
  const { code, message } = options.describe(error);
  const advice = code === 'NO_READER' ? ` ${words.mcp.askAsTeam}` : '';
  return { text: sanitizeForTerminal(words.cli.error(code, message) + advice), isError: true };
}

function showReply({ text, structure, isError = false, session }: Reply): CallToolResult {
  return {
    content: [
      { type: 'text', text },
      ...(session === undefined
        ? []
        : [
            {
              type: 'resource_link',
              uri: sessionUri(session),
              name: session,
              description: words.mcp.sessionResource,
              mimeType: 'text/markdown',
            } as const,
          ]),
    ],
    ...(structure !== undefined && { structuredContent: structure }),
    ...(isError && { isError }),
  };
}
