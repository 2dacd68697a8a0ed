/** What a model was really sent, in one shape for all vendors. */
export interface ModelRequest {
  readonly model: string;
  /** All that the vendor takes as instructions, joined. */
  readonly system: string;
  /** What was said as the user, oldest first, one entry for each piece of text. */
  readonly userTexts: readonly string[];
  /** What tools answered, oldest first. */
  readonly toolResults: readonly string[];
  readonly tools: readonly OfferedTool[];
  /** Asked by the CLI on its own account (which model to take, who speaks next), not on ours. */
  readonly isSideQuestion: boolean;
  /** Whether the answer is wanted piece by piece. */
  readonly streams: boolean;
  /** As it came. */
  readonly body: string;
}

export interface OfferedTool {
  readonly name: string;
  /** How it is called, where a vendor has several ways. */
  readonly type?: string;
  readonly namespace?: string;
}

/** The tool of an MCP server as this CLI offers it. */
export function findServerTool(
  { tools }: Pick<ModelRequest, 'tools'>,
  name: string,
): OfferedTool | undefined {
  return tools.find((tool) => tool.name.endsWith(name));
}

/** How often a text stands in all that was sent; never, when nothing was. */
export function countIn(request: ModelRequest | undefined, text: string): number {
  if (request === undefined) return 0;
  return request.body.split(JSON.stringify(text).slice(1, -1)).length - 1;
}
