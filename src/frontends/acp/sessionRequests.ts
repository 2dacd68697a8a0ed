import { isAbsolute } from 'node:path';
import type {
  NewSessionRequest,
  McpServer as OfferedServer,
  SessionInfo,
} from '@agentclientprotocol/sdk/unstable';
import type { WordsOf } from '../../catalogue/words.js';
import type { OpenChoice } from '../../coordinator/Conversations.js';
import { HuddleError } from '../../models/errors.js';
import { checkServers, type McpServer } from '../../models/McpServer.js';
import type { ConversationSummary } from '../../store/summary.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';

/** Shorter than the longest there may be, since a number may follow. */
const NAME_LENGTH = 36;
const UNNAMED = 'server';

/** The part of a session that a client gives with it, anew whenever it opens one. */
export type SessionPlace = Pick<OpenChoice, 'folder' | 'additionalFolders' | 'mcpServers'>;

/** The part of a request that says where a session works, and with which servers. */
type PlaceRequest = Pick<NewSessionRequest, 'cwd' | 'additionalDirectories'> &
  Partial<Pick<NewSessionRequest, 'mcpServers'>>;

/** Reads where a session works. Throws if a folder is not absolute, or there are too many servers. */
export function readPlace(
  { cwd, additionalDirectories = [], mcpServers = [] }: PlaceRequest,
  words: WordsOf<'acp'>,
): SessionPlace {
  const folders = [cwd, ...additionalDirectories];
  const relative = folders.find((folder) => !isAbsolute(folder));
  if (relative !== undefined) throw invalidRequest(words.acp.relativeFolder(sanitizeToOneLine(relative)));
  const servers = nameApart(mcpServers.flatMap(readServer));
  checkServers(servers);
  return {
    folder: cwd,
    additionalFolders: additionalDirectories.map((path) => ({ path })),
    mcpServers: servers,
  };
}

/** A server as members are given it. One that runs inside the client is none for them, and was not offered to clients. */
function readServer(server: OfferedServer): McpServer[] {
  if ('command' in server) {
    const { name, command, args, env } = server;
    return [{ transport: 'stdio', name, command, args, env: byName(env) }];
  }
  if (!('url' in server)) return [];
  const { type, name, url, headers } = server;
  return [{ transport: type, name, url, headers: byName(headers) }];
}

/** The servers under names that all agents take: an editor may call one anything, and that is no reason to refuse it. */
function nameApart(servers: readonly McpServer[]): McpServer[] {
  const names = new Set<string>();
  return servers.map((server) => {
    const letters = server.name.replaceAll(/[^A-Za-z0-9_-]+/gu, '-').replaceAll(/^-+|-+$/gu, '');
    const plain = letters.slice(0, NAME_LENGTH) || UNNAMED;
    let name = plain;
    for (let number = 2; names.has(name); number++) name = `${plain}-${number}`;
    names.add(name);
    return { ...server, name };
  });
}

function byName(pairs: ReadonlyArray<{ readonly name: string; readonly value: string }>) {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

/** A saved conversation as clients list it. */
export function describeListed(summary: ConversationSummary): SessionInfo {
  const { id, folder = '/', title, changedAt, state, turns, teamName } = summary;
  return {
    sessionId: id,
    cwd: folder,
    title,
    updatedAt: new Date(changedAt).toISOString(),
    _meta: { huddle: { state, turns, team: teamName } },
  };
}

/** The place in the list at which a page begins. Throws if the cursor is none of ours. */
export function readCursor(cursor: string | null | undefined, words: WordsOf<'acp'>): number | undefined {
  if (cursor == null) return undefined;
  if (!/^\d{1,15}$/u.test(cursor)) throw invalidRequest(words.acp.badCursor);
  return Number(cursor);
}

/** The refusal of a request that cannot be done as it is; nothing has happened. */
export function invalidRequest(sentence: string): HuddleError {
  return new HuddleError('INVALID_REQUEST', sentence);
}
