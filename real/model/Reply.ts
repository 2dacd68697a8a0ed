import type { ModelRequest } from './ModelRequest.js';

/** What the fake model does when it is asked, in one shape for all vendors. */
export type Reply =
  | {
      readonly kind: 'say';
      /** Sent one after the other, as a model writes. */
      readonly pieces: readonly string[];
      /** In place of a proper end: the connection breaks, or nothing more comes. */
      readonly ending?: 'cut' | 'hang';
    }
  | { readonly kind: 'use'; readonly tool: ToolUse }
  | { readonly kind: 'refuse'; readonly status: number }
  | { readonly kind: 'hang' };

export type Behaviour = (request: ModelRequest) => Reply;

/** A reply that is streamed. */
export type SpokenReply = Extract<Reply, { kind: 'say' | 'use' }>;

/** What a model asks an agent to do; each vendor has its own tool for it. */
export type ToolUse =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'run'; readonly command: string }
  /** A tool of an MCP server, by the name it has there: each CLI puts something before it. */
  | { readonly kind: 'call'; readonly name: string; readonly given: object };

/** Said before a tool is used. */
export const ANNOUNCEMENT = 'I will use a tool.';

/** The same for every request; small, and every figure another one, so that none can be taken for another. */
export const USAGE = { input: 70, cached: 30, output: 42 };

export function say(...pieces: readonly string[]): Reply {
  return { kind: 'say', pieces };
}

/** Uses the tools one after the other, then speaks. Counts from where the conversation stands at the first request. */
export function useThenSay(tools: readonly ToolUse[], text: string): Behaviour {
  let doneBefore: number | undefined;
  return ({ toolResults }) => {
    doneBefore ??= toolResults.length;
    const tool = tools[toolResults.length - doneBefore];
    return tool === undefined ? say(text) : { kind: 'use', tool };
  };
}
