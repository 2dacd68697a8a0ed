import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { words } from '../../../catalogue/words.js';
import { HuddleError } from '../../../models/errors.js';
import { formatMarkdown } from '../../../transcript/markdown.js';
import { createTranscript } from '../../../transcript/Transcript.js';
import { truncateToBytes, utf8Length } from '../../../utils/bytes.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import type { Serving } from '../Serving.js';
import { parseUri, SESSION_TEMPLATE, sessionUri, TURN_TEMPLATE } from './resourceUris.js';

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

export function listTemplates(): ListResourceTemplatesResult {
  const { sessionResource, turnResource } = words.mcp;
  return {
    resourceTemplates: [
      { uriTemplate: SESSION_TEMPLATE, name: 'session', description: sessionResource, mimeType: MARKDOWN },
      { uriTemplate: TURN_TEMPLATE, name: 'turn', description: turnResource, mimeType: 'text/plain' },
    ],
  };
}

/** A whole session as Markdown, or what was sent in a turn; at most 1 MB. */
export async function readResource(uri: string, serving: Serving): Promise<ReadResourceResult> {
  const target = parseUri(uri);
  if (target === undefined) throw notFound(uri);
  try {
    const conversations = await (await serving.asks()).conversations();
    const conversation = await conversations.read(target.session, serving.options.folder);
    try {
      const { reader } = conversation;
      if (target.turn === undefined)
        return contentsOf(uri, MARKDOWN, formatMarkdown(await createTranscript(reader.read())));
      const { explain } = await import('../readTools.js');
      return contentsOf(uri, 'text/plain', await explain(conversation, target.turn, { most: MOST_BYTES }));
    } finally {
      await conversation.reader.close();
    }
  } catch (error) {
    const isUnknown =
      error instanceof HuddleError &&
      ['UNKNOWN_CONVERSATION', 'OTHER_FOLDER', 'UNKNOWN_TURN'].includes(error.code);
    throw isUnknown ? notFound(uri) : error;
  }
}

function contentsOf(uri: string, mimeType: string, text: string): ReadResourceResult {
  const kept = truncateToBytes(text, MOST_BYTES - 100);
  const isWhole = kept.length === text.length || utf8Length(text) <= MOST_BYTES;
  const shown = isWhole ? text : `${kept}${words.mcp.cutPrompt(text.length - kept.length)}`;
  return { contents: [{ uri, mimeType, text: shown }] };
}

function notFound(uri: string): Error {
  return new ResourceNotFoundError(uri, words.mcp.unknownResource(sanitizeToOneLine(uri)));
}
