import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import type { WordsOf } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import { formatMarkdown } from '../../transcript/markdown.js';
import { createTranscript } from '../../transcript/Transcript.js';
import { truncateToBytes, utf8Length } from '../../utils/bytes.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { Serving } from './Serving.js';

const LISTED = 20;
const MOST_BYTES = 1024 * 1024;
const MARKDOWN = 'text/markdown';
const TITLE_CHARACTERS = 60;

/** The latest sessions of the folder. */
export async function listResources(serving: Serving): Promise<ListResourcesResult> {
  const conversations = await (await serving.asks()).conversations();
  const { summaries } = await conversations.list({ folder: serving.options.folder, limit: LISTED });
  return {
    resources: summaries.map(({ id, title }) => ({
      uri: sessionUri(id),
      name: id,
      title: sanitizeToOneLine(title).slice(0, TITLE_CHARACTERS),
      mimeType: MARKDOWN,
    })),
  };
}

export function listTemplates({ mcp }: WordsOf<'mcp'>): ListResourceTemplatesResult {
  const { sessionResource, turnResource } = mcp;
  return {
    resourceTemplates: [
      { uriTemplate: SESSION_TEMPLATE, name: 'session', description: sessionResource, mimeType: MARKDOWN },
      { uriTemplate: TURN_TEMPLATE, name: 'turn', description: turnResource, mimeType: 'text/plain' },
    ],
  };
}

/** A whole session as Markdown, or what was sent in a turn; at most 1 MB. */
export async function readResource(uri: string, serving: Serving): Promise<ReadResourceResult> {
  const { words } = serving.options;
  const target = parseUri(uri);
  if (target === undefined) throw notFound(uri, words);
  try {
    const conversations = await (await serving.asks()).conversations();
    const conversation = await conversations.read(target.session, serving.options.folder);
    try {
      const { reader } = conversation;
      if (target.turn === undefined)
        return contentsOf(uri, MARKDOWN, formatMarkdown(await createTranscript(reader.read())), words);
      const { explain } = await import('./readTools.js');
      return contentsOf(
        uri,
        'text/plain',
        await explain(conversation, target.turn, { words, mostOfPrompt: MOST_BYTES }),
        words,
      );
    } finally {
      await conversation.reader.close();
    }
  } catch (error) {
    const isUnknown =
      error instanceof HuddleError &&
      ['UNKNOWN_CONVERSATION', 'OTHER_FOLDER', 'UNKNOWN_TURN'].includes(error.code);
    throw isUnknown ? notFound(uri, words) : error;
  }
}

function contentsOf(uri: string, mimeType: string, text: string, words: WordsOf<'mcp'>): ReadResourceResult {
  const kept = truncateToBytes(text, MOST_BYTES - 100);
  const isWhole = kept.length === text.length || utf8Length(text) <= MOST_BYTES;
  const shown = isWhole ? text : `${kept}${words.mcp.cutPrompt(text.length - kept.length)}`;
  return { contents: [{ uri, mimeType, text: shown }] };
}

function notFound(uri: string, words: WordsOf<'mcp'>): Error {
  return new ResourceNotFoundError(uri, words.mcp.unknownResource(sanitizeToOneLine(uri)));
}

/** A session, or what was sent in one of its turns. */
interface ResourceTarget {
  readonly session: string;
  readonly turn?: string;
}

const SESSION_TEMPLATE = 'huddle://session/{id}';
const TURN_TEMPLATE = 'huddle://session/{id}/turn/{number}';

/** As ids and turns are written; nothing else can be one. */
const TARGET = /^huddle:\/\/session\/([A-Za-z0-9-]{1,64})(?:\/turn\/(\d{1,9}))?$/u;

export function sessionUri(session: string): string {
  return `huddle://session/${session}`;
}

/** The session or turn that an address names; undefined if it is none of ours. */
export function parseUri(uri: string): ResourceTarget | undefined {
  const [, session, turn] = TARGET.exec(uri) ?? [];
  if (session === undefined) return undefined;
  return turn === undefined ? { session } : { session, turn };
}
