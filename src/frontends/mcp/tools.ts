import type { McpCall, Reply } from './McpCall.js';
import type { Given } from './parameters.js';
import type { Serving } from './Serving.js';
import type { TOOL_PARAMETERS, ToolName } from './toolParameters.js';

/** Does what a tool is for. */
type Perform<Name extends ToolName> = (
  given: Given<(typeof TOOL_PARAMETERS)[Name]>,
  serving: Serving,
  call: McpCall,
) => Promise<Reply>;

/** Loaded when they are called: a client wants to know the tools at once, and may never call one. */
export const TOOLS: { readonly [Name in ToolName]: () => Promise<Perform<Name>> } = {
  ask_team: async () => (await import('./askTools.js')).askTeam,
  ask_member: async () => (await import('./askTools.js')).askMember,
  wait_for_team: async () => (await import('./askTools.js')).waitForTeam,
  read_conversation: async () => (await import('./readTools.js')).readConversation,
  explain_turn: async () => (await import('./readTools.js')).explainTurnOf,
  conversation_cost: async () => (await import('./readTools.js')).showCost,
};
