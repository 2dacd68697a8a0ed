import type { ModelRequest } from './ModelRequest.js';
import type { SpokenReply } from './Reply.js';

/** The API of one vendor, just enough of it for the vendor's own CLI to complete a turn. */
export interface Protocol {
  serves(path: string): boolean;
  read(request: WireRequest): ModelRequest;
  /** The answer as events, in three parts so that it can be broken off after what was said. */
  stream(reply: SpokenReply, request: ModelRequest, id: string): StreamedAnswer;
  /** The answer in one piece, for CLIs that fall back to that. */
  whole(reply: SpokenReply, request: ModelRequest, id: string): object;
  refusal(status: number): object;
  /** What a side question is answered with, where any words will not do. */
  sideReply?(request: ModelRequest): SpokenReply;
}

export interface WireRequest {
  readonly path: string;
  readonly body: string;
  readonly parsed: unknown;
}

/** Server-sent events, each whole. */
export interface StreamedAnswer {
  readonly opening: readonly string[];
  readonly said: readonly string[];
  readonly closing: readonly string[];
}

/** One server-sent event with a name. */
export function namedEvent(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

/** One server-sent event without. */
export function plainEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
