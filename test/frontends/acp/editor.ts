import { PassThrough, Readable, Writable } from 'node:stream';
import {
  type ClientCapabilities,
  type ClientContext,
  client,
  type NewSessionResponse,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import { onTestFinished } from 'vitest';
import { english } from '../../../src/catalogue/english.js';
import { openConversations, type ServingFlags } from '../../../src/cli/serve/openConversations.js';
import type { Conversations } from '../../../src/coordinator/Conversations.js';
import { serveAcp } from '../../../src/frontends/acp/serveAcp.js';
import { contextOf } from '../../cli/contextOf.js';
import { createMachine, type Machine, teamFile } from '../../cli/runHuddle.js';

/** A line that came from the agent, as it stood on the wire. */
export interface WireLine {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly update: SessionUpdate };
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** An editor that talks to `huddle acp`, in this process. */
export interface Editor {
  readonly machine: Machine;
  readonly agent: ClientContext;
  /** All that came, in order. */
  readonly wire: readonly WireLine[];
  /** The errors that are bugs. */
  readonly unexpected: readonly unknown[];
  /** The updates of one kind so far. */
  updates<Kind extends SessionUpdate['sessionUpdate']>(
    kind: Kind,
  ): ReadonlyArray<Extract<SessionUpdate, { sessionUpdate: Kind }>>;
  /** The text of agents and of Huddle so far. */
  said(): string;
  create(folder?: string): Promise<NewSessionResponse>;
  prompt(sessionId: string, text: string): Promise<Readonly<Record<string, unknown>>>;
  /** Writes a line that the SDK would not write. */
  write(line: string): void;
  /** Ends the input and waits until everything is closed. */
  leave(): Promise<void>;
}

export interface EditorOptions {
  readonly machine?: Machine;
  readonly flags?: ServingFlags;
  readonly as?: string;
  readonly capabilities?: ClientCapabilities;
  /** Puts something in the way of the house. */
  readonly wrap?: (conversations: Conversations) => Conversations;
  readonly onPermission?: (question: RequestPermissionRequest) => Promise<RequestPermissionResponse>;
}

export const ECHO = { agentType: 'command', command: ['/bin/echo', 'Done.'] };

/** A machine with a trusted team file. */
export async function trustedMachine(
  agents: Readonly<Record<string, object>> = { echo: ECHO },
  more: Readonly<Record<string, unknown>> = {},
): Promise<Machine> {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile(agents, more));
  await machine.trust();
  return machine;
}

export async function openEditor(options: EditorOptions = {}): Promise<Editor> {
  const { machine = await trustedMachine(), flags = {}, as, wrap = (house) => house } = options;
  const [input, output] = [new PassThrough(), new PassThrough()];
  const unexpected: unknown[] = [];
  const wire = recordLines(output);
  const serving = serveAcp(
    { input, output },
    {
      openConversations: async () => wrap(openConversations(flags, contextOf(machine))),
      onUnexpected: (error) => unexpected.push(error),
      as,
      words: english,
    },
    new AbortController().signal,
  );
  const connection = client({ name: 'editor' })
    .onRequest('session/request_permission', ({ params }) => answerPermission(options, params))
    .onNotification('session/update', () => undefined)
    .connect(ndJsonStream(Writable.toWeb(input), Readable.toWeb(output) as ReadableStream<Uint8Array>));
  const leave = async () => {
    input.end();
    await serving;
  };
  onTestFinished(leave);
  const { agent } = connection;
  const { capabilities: clientCapabilities = {} } = options;
  const clientInfo = { name: 'zed', version: '1' };
  await agent.request('initialize', { protocolVersion: 1, clientCapabilities, clientInfo });
  const updates: Editor['updates'] = (kind) =>
    wire.flatMap(({ params }) => (params?.update?.sessionUpdate === kind ? (params.update as never) : []));
  return {
    machine,
    agent,
    wire,
    unexpected,
    updates,
    said: () =>
      updates('agent_message_chunk')
        .map(({ content }) => (content.type === 'text' ? content.text : ''))
        .join(''),
    create: (cwd = machine.project) => agent.request('session/new', { cwd, mcpServers: [] }),
    prompt: (sessionId, text) =>
      agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    write: (line) => input.write(line),
    leave,
  };
}

function recordLines(output: PassThrough): WireLine[] {
  const lines: WireLine[] = [];
  let rest = '';
  const write = output.write.bind(output);
  output.write = ((chunk: string, ...more: never[]) => {
    const pieces = (rest + chunk).split('\n');
    rest = pieces.pop() ?? '';
    lines.push(...pieces.map((line) => JSON.parse(line)));
    return write(chunk, ...more);
  }) as typeof output.write;
  return lines;
}

async function answerPermission(
  { onPermission }: EditorOptions,
  question: RequestPermissionRequest,
): Promise<RequestPermissionResponse> {
  return onPermission === undefined ? { outcome: { outcome: 'cancelled' } } : onPermission(question);
}

/** The same house, as an object whose methods can be replaced one by one. */
export function delegate(house: Conversations): Conversations {
  return {
    teamOf: (...given) => house.teamOf(...given),
    create: (...given) => house.create(...given),
    open: (...given) => house.open(...given),
    fork: (...given) => house.fork(...given),
    read: (...given) => house.read(...given),
    list: (...given) => house.list(...given),
    foldersOf: (...given) => house.foldersOf(...given),
    delete: (...given) => house.delete(...given),
    attach: (...given) => house.attach(...given),
    close: () => house.close(),
  };
}
