import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { WordsOf } from '../../catalogue/words.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import type { McpCall, Reply } from './McpOptions.js';
import { sessionUri } from './resources.js';
import type { Serving } from './Serving.js';
import { type Given, isToolName, readArguments, TOOL_NAMES, type ToolName } from './tools.js';

/** Does what a tool is for. */
type Perform<Name extends ToolName> = (given: Given<Name>, serving: Serving, call: McpCall) => Promise<Reply>;

/** Loaded when they are called: a client wants to know the tools at once, and may never call one. */
const TOOLS: { readonly [Name in ToolName]: () => Promise<Perform<Name>> } = {
  ask_team: async () => (await import('./askTools.js')).askTeam,
  ask_member: async () => (await import('./askTools.js')).askMember,
  wait_for_team: async () => (await import('./askTools.js')).waitForTeam,
  read_conversation: async () => (await import('./readTools.js')).readConversation,
  explain_turn: async () => (await import('./readTools.js')).explainTurnOf,
  conversation_cost: async () => (await import('./readTools.js')).showCost,
};

/** A tool that a client calls, with arguments as it gave them. */
interface CalledTool {
  readonly name: string;
  readonly arguments?: unknown;
}

/** Calls a tool. What a person or a model can mend is a result: clients show errors of the protocol to neither. */
export async function callTool(tool: CalledTool, serving: Serving, call: McpCall): Promise<CallToolResult> {
  const { name } = tool;
  const { words } = serving.options;
  if (!isToolName(name))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      words.mcp.unknownTool(sanitizeToOneLine(name), TOOL_NAMES),
    );
  try {
    return showReply(await perform(name, tool.arguments, serving, call), words);
  } catch (error) {
    return showReply(describeFailure(error, serving), words);
  }
}

async function perform<Name extends ToolName>(
  name: Name,
  given: unknown,
  serving: Serving,
  call: McpCall,
): Promise<Reply> {
  const checked = readArguments(name, given, serving.options.words);
  const tool = await TOOLS[name]();
  return tool(checked, serving, call);
}

function describeFailure(error: unknown, { options }: Serving): Reply {
  const { words, describe } = options;
  const { code, message } = describe(error);
  const advice = code === 'NO_READER' ? ` ${words.mcp.askAsTeam}` : '';
  return { text: sanitizeForTerminal(words.cli.error(code, message) + advice), isError: true };
}

function showReply({ text, structure, isError, session }: Reply, words: WordsOf<'mcp'>): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  if (session !== undefined)
    content.push({
      type: 'resource_link',
      uri: sessionUri(session),
      name: session,
      description: words.mcp.sessionResource,
      mimeType: 'text/markdown',
    });
  return { content, structuredContent: structure, isError: isError || undefined };
}
