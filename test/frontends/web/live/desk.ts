import { once } from 'node:events';
import { createServer, get, IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { speaking } from '../../../../src/catalogue/words.js';
import { openConversations } from '../../../../src/cli/serve/openConversations.js';
import { describeForPeople } from '../../../../src/cli/start/reportError.js';
import type { Conversations } from '../../../../src/coordinator/Conversations.js';
import { ConversationDesk, type DeskOptions } from '../../../../src/frontends/web/live/ConversationDesk.js';
import type { Call, Handlers } from '../../../../src/frontends/web/routes.js';
import { STREAM } from '../../../../src/frontends/web/wire.js';
import type { RecordedEvent } from '../../../../src/models/ConversationEvent.js';
import { HuddleError } from '../../../../src/models/errors.js';
import type { ConversationId } from '../../../../src/models/ids.js';
import { toArray } from '../../../../src/utils/AnyIterable.js';
import { hostileCommand } from '../../../agents/acp/hostileAcpAgent.js';
import { contextOf } from '../../../cli/contextOf.js';
import { createMachine, type Machine, teamFile } from '../../../cli/runHuddle.js';

type Route = 'whoAmI' | 'list' | 'create' | 'remove' | 'show' | 'older' | 'send' | 'decide' | 'act';

/** A desk over the real conversations of a machine, behind a real server for its streams. */
export interface OpenedDesk {
  readonly machine: Machine;
  readonly desk: ConversationDesk;
  readonly house: Conversations;
  /** What went wrong where no request could be told. */
  readonly errors: readonly unknown[];
  call<Name extends Route>(
    name: Name,
    given?: Partial<Omit<Call<Name>, 'params'>> & { readonly id?: string },
  ): ReturnType<Handlers[Name]>;
  /** A new conversation in which nothing was said. */
  create(): Promise<ConversationId>;
  send(id: string, content: string, onceKey?: string): Promise<unknown>;
  /** All recorded events. */
  log(id: string): Promise<readonly RecordedEvent[]>;
  stream(query: StreamRequest): Promise<StreamReader>;
  /** Asks for a stream and is gone before it begins. */
  leaveAtOnce(query: StreamRequest): Promise<void>;
}

export interface StreamRequest {
  readonly conversation?: string;
  readonly after?: number;
  readonly lastEventId?: number;
  readonly browserId?: string;
}

export interface Frame {
  readonly id?: number;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a frame of any kind, which the tests compare.
  readonly data: any;
}

export interface StreamReader {
  readonly status: number;
  /** The code of the error, if it was refused. */
  readonly code?: string;
  readonly frames: readonly Frame[];
  readonly response: IncomingMessage;
  /** The recorded events so far. */
  events(): readonly RecordedEvent[];
  /** Resolves with the frames when one fits. */
  until(fits: (frame: Frame) => boolean): Promise<readonly Frame[]>;
  /** Resolves when the server has ended it. */
  readonly ended: Promise<void>;
  cut(): void;
}

export const ECHO = { agentType: 'command', command: ['/bin/echo', 'Done.'] };

/** An agent that does what the steps say; see `hostile-acp-agent.mjs`. */
export function stepping(machine: Machine, steps: readonly object[]): object {
  const orders = JSON.stringify(steps);
  return { agentType: 'acp', command: hostileCommand('steps', join(machine.folder, 'pids'), orders) };
}

/** Text that an agent says. */
export function saying(text: string): object {
  return { update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } };
}

export async function deskWith(
  agents: (machine: Machine) => Readonly<Record<string, object>>,
  options: Partial<DeskOptions> & { readonly team?: Readonly<Record<string, unknown>> } = {},
): Promise<OpenedDesk> {
  const machine = createMachine();
  const { team = {}, ...rest } = options;
  machine.write('huddle.jsonc', teamFile(agents(machine), { files: { record: false }, ...team }));
  await machine.trust();
  return openDesk(machine, rest);
}

export async function openDesk(machine: Machine, options: Partial<DeskOptions> = {}): Promise<OpenedDesk> {
  const house = openConversations({}, contextOf(machine));
  const errors: unknown[] = [];
  const desk = new ConversationDesk(house, {
    folder: machine.project,
    version: '0.0.0',
    onError: (error) => errors.push(error),
    words: english,
    describe: (error, words) => speaking(words, () => describeForPeople(error, contextOf(machine))),
    ...options,
  });
  const address = await serve(desk);
  onTestFinished(async () => {
    await desk.close();
    await house.close();
  });
  const handlers = desk.handlers();
  const call: OpenedDesk['call'] = (name, given = {}) => {
    const { id, ...rest } = given;
    const whole = {
      params: { id: id ?? '' },
      query: undefined,
      body: undefined,
      browserId: 'b1',
      role: 'full',
      words: english,
    };
    const handler = handlers[name] as (call: unknown) => ReturnType<(typeof handlers)[typeof name]>;
    return handler({ ...whole, ...rest });
  };
  let keys = 0;
  return {
    machine,
    desk,
    house,
    errors,
    call,
    create: async () => (await call('create', { body: {} })).id,
    send: (id, content, onceKey = `key-${keys++}`) => call('send', { id, body: { content }, onceKey }),
    async log(id) {
      const { reader } = await house.read(id);
      const events = await toArray(reader.read());
      await reader.close();
      return events;
    },
    stream: (query) => readStream(address, query),
    leaveAtOnce: async ({ conversation, browserId = 'b1' }) => {
      const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
      outgoing.destroy();
      const query = STREAM.parse({ conversation });
      const call = { params: {}, query, body: undefined, browserId, role: 'full' as const, words: english };
      await desk.openStream(call, outgoing, undefined);
    },
  };
}

async function serve(desk: ConversationDesk): Promise<string> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { browser: browserId = 'b1', ...query } = Object.fromEntries(url.searchParams);
    const lastEventId = request.headers['last-event-id'];
    const call = {
      params: {},
      query: STREAM.parse(query),
      body: undefined,
      browserId,
      role: 'full' as const,
      words: english,
    };
    desk
      .openStream(call, response, lastEventId === undefined ? undefined : Number(lastEventId))
      .catch((error) => {
        const code = error instanceof HuddleError ? error.code : String(error);
        response.writeHead(409).end(JSON.stringify({ error: { code } }));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readStream(address: string, request: StreamRequest): Promise<StreamReader> {
  const { conversation, after, lastEventId, browserId = 'b1' } = request;
  const query = new URLSearchParams({
    browser: browserId,
    ...(conversation !== undefined && { conversation }),
    ...(after !== undefined && { after: String(after) }),
  });
  const headers = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) };
  const asking = get(`${address}/?${query}`, { headers, agent: false });
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  response.setEncoding('utf8');
  const ended = new Promise<void>((resolve) => {
    response.on('close', resolve);
    response.on('error', () => resolve());
  });
  void ended.then(() => {
    for (const look of waiting) look();
  });
  const status = response.statusCode ?? 0;
  if (status !== 200) {
    const body = (await toArray(response as AsyncIterable<string>)).join('');
    const { code } = JSON.parse(body).error;
    return {
      status,
      code,
      frames,
      response,
      events: () => [],
      until: async () => frames,
      ended,
      cut: () => undefined,
    };
  }
  response.on('data', (chunk: string) => {
    const pieces = (rest + chunk).split('\n\n');
    rest = pieces.pop() ?? '';
    frames.push(...pieces.map(readFrame));
    for (const look of waiting) look();
  });
  return {
    status,
    frames,
    response,
    ended,
    events: () => frames.flatMap(({ id, data }) => (id === undefined ? [] : [data as RecordedEvent])),
    until: (fits) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const isThere = frames.some(fits);
          if (!isThere && !response.closed) return;
          waiting.delete(look);
          if (isThere) resolve(frames);
          else reject(new Error(`It ended before: ${JSON.stringify(frames.slice(-5))}`));
        };
        waiting.add(look);
        look();
      }),
    cut: () => asking.destroy(),
  };
}

function readFrame(text: string): Frame {
  const fields = Object.fromEntries(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const { id, event = 'message', data = '' } = fields;
  return { ...(id !== undefined && { id: Number(id) }), event, data: JSON.parse(data) };
}

/** A recorded event of this type. */
export function recorded(type: RecordedEvent['type']): (frame: Frame) => boolean {
  return ({ id, data }) => id !== undefined && data.type === type;
}

export function messageOf(name: string): (frame: Frame) => boolean {
  return ({ data }) => data.type === 'message-added' && data.message.speaker.roleName === name;
}
