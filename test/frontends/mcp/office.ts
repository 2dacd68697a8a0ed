import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type CallToolResult, Client, type Progress } from '@modelcontextprotocol/client';
import { onTestFinished, vi } from 'vitest';
import { english } from '../../../src/catalogue/english.js';
import { openConversations, type ServingFlags } from '../../../src/cli/serve/openConversations.js';
import { describeForPeople } from '../../../src/cli/start/reportError.js';
import { LineTransport } from '../../../src/frontends/mcp/LineTransport.js';
import type { McpOptions } from '../../../src/frontends/mcp/McpOptions.js';
import { serveMcp } from '../../../src/frontends/mcp/serveMcp.js';
import { contextOf } from '../../cli/contextOf.js';
import { createSquad, type Squad } from '../../cli/squad.js';

interface OfficeOptions {
  readonly options?: Partial<McpOptions>;
  readonly flags?: ServingFlags;
  /** The name by which the client introduces itself. */
  readonly client?: string;
  readonly isModern?: boolean;
}

/** A server in this process, of a team whose programs are simulated, and a client of it. */
export interface Office {
  readonly client: Client;
  /** Lines that the server wrote for people. */
  readonly logged: readonly string[];
  call(name: string, given?: object, more?: CallMore): Promise<CallToolResult>;
  /** The text of the answer. */
  ask(name: string, given?: object, more?: CallMore): Promise<string>;
}

interface CallMore {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Progress) => void;
}

/** What members say from now on, in order. */
export function script({ machine }: Squad, replies: Readonly<Record<string, readonly object[]>>): void {
  writeFileSync(join(machine.folder, 'squad', 'replies.json'), JSON.stringify(replies));
}

/** A team in which everybody says one thing and hands off to nobody. */
export async function createQuietSquad(more: Readonly<Record<string, unknown>> = {}): Promise<Squad> {
  const squad = await createSquad(more);
  script(squad, {
    max: [{ text: 'From max.', usd: 0.01 }],
    sarah: [{ text: 'From sarah.' }],
    carol: [{ text: 'From carol.' }],
  });
  return squad;
}

export async function openOffice({ machine }: Squad, more: OfficeOptions = {}): Promise<Office> {
  // Programs are started in the environment of this process.
  for (const [name, value] of Object.entries(machine.env)) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const context = contextOf(machine);
  const logged: string[] = [];
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const serving = serveMcp(
    {
      openConversations: async () => openConversations(more.flags ?? {}, context),
      folder: machine.project,
      permission: 'read',
      limits: { maxAsks: 20, maxTurns: 50 },
      version: '1.2.3',
      words: english,
      describe: (error) => describeForPeople(error, context),
      log: (line) => logged.push(line),
      ...more.options,
    },
    { input: toServer, output: toClient },
    stop.signal,
  );
  const client = new Client(
    { name: more.client ?? 'test', version: '1' },
    more.isModern ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  await client.connect(new LineTransport({ input: toClient, output: toServer }));
  onTestFinished(async () => {
    stop.abort();
    await serving;
    await client.close();
  });
  const call: Office['call'] = (name, given = {}, { signal, onprogress } = {}) =>
    client.callTool(
      { name, arguments: { ...given } },
      { timeout: 60_000, ...(signal && { signal }), ...(onprogress && { onprogress }) },
    ) as Promise<CallToolResult>;
  return { client, logged, call, ask: async (...args) => textOf(await call(...args)) };
}

/** The first text of an answer. */
export function textOf({ content }: CallToolResult): string {
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

/** The id in the first line of an answer. */
export function sessionIn(text: string): string {
  return /\d{8}-\d{4}-[0-9a-f]{4}/u.exec(text)?.[0] ?? '';
}
