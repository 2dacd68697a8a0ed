import { explainTurns } from '../coordinator/explainTurn.js';
import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { AnyIterable } from '../utils/AnyIterable.js';
import { formatJson } from '../utils/formatJson.js';
import { formatHtml, type HtmlOptions } from './html.js';
import { formatMarkdown } from './markdown.js';
import { createTranscript } from './Transcript.js';

/** Reads a log from its beginning, as often as it is called. */
type ReadLog = () => AsyncIterable<RecordedEvent>;

/** Every format in which a conversation is exported, piece by piece. */
export const EXPORT_WRITERS = {
  async *md(read: ReadLog) {
    yield formatMarkdown(await createTranscript(read()));
  },
  json: (read: ReadLog) => formatEventDocument(read()),
  jsonl: (read: ReadLog) => formatEventLines(read()),
  async *html(read: ReadLog) {
    yield await formatHtml(await createTranscript(read()), { plans: await collectPlans(read()) });
  },
} satisfies Record<string, (read: ReadLog) => AsyncIterable<string>>;

/** Collects the plans alone: all prompts of a long conversation do not fit into memory. */
async function collectPlans(events: AsyncIterable<RecordedEvent>): Promise<Required<HtmlOptions>['plans']> {
  const plans = new Map();
  for await (const { turnId, plan, sent, isExact } of explainTurns(events))
    plans.set(turnId, { plan, sent, isExact });
  return plans;
}

/**
 * Formats events as JSON lines, one event a line: what `importConversation` reads.
 *
 * @example
 * ```ts
 * for await (const line of formatEventLines(conversation.history())) process.stdout.write(line);
 * ```
 */
export async function* formatEventLines(events: AnyIterable<RecordedEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `${formatJson(event)}\n`;
}

/** The log as one JSON document, piece by piece, an event a line. */
export async function* formatEventDocument(events: AnyIterable<RecordedEvent>): AsyncGenerator<string> {
  let separator = '{"format":"huddle-conversation","version":1,"events":[\n';
  for await (const event of events) {
    yield separator + formatJson(event);
    separator = ',\n';
  }
  yield separator === ',\n' ? '\n]}\n' : `${separator}]}\n`;
}
