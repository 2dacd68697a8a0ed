import { mkdirSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { english } from '../../../src/catalogue/english.js';
import type { Catalogue } from '../../../src/catalogue/words.js';
import { readAssets } from '../../../src/frontends/web/assets.js';
import { type AppParts, answerRequests } from '../../../src/frontends/web/createApp.js';
import { createHttpServer } from '../../../src/frontends/web/createHttpServer.js';
import { type Credentials, Door, type DoorOptions } from '../../../src/frontends/web/Door.js';
import { listen } from '../../../src/frontends/web/listen.js';
import type { RefusalFacts } from '../../../src/frontends/web/refusals.js';
import {
  type Call,
  type Handlers,
  ROUTES,
  type RouteName,
  type TextAnswer,
} from '../../../src/frontends/web/routes.js';
import type { BrowserRole } from '../../../src/frontends/web/wire.js';
import { HuddleError } from '../../../src/models/errors.js';
import { makeTemporaryFolder } from '../../config/temporaryFolder.js';

/** A real server on a real socket, with handlers that write down that they were called. */
export interface TestServer {
  readonly port: number;
  readonly door: Door;
  readonly calls: [RouteName, Call][];
  readonly refused: RefusalFacts[];
  /** A browser that was let in. */
  letIn(role?: BrowserRole): Credentials;
  /** Sends a request as a browser would, or as no browser would. */
  ask(request?: TestRequest): Promise<TestAnswer>;
  /** Sends bytes, and resolves with all that comes back when the connection is closed. */
  send(text: string | Uint8Array): Promise<string>;
  open(): Socket;
}

export interface TestRequest {
  readonly method?: string;
  readonly path?: string;
  readonly version?: '1.0' | '1.1';
  /** In place of the usual ones, by lower-case names; `undefined` leaves one out, a list sends it twice. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly as?: Credentials | undefined;
  readonly body?: unknown;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The code of a refusal. */
  readonly code?: string;
}

export interface TestServerOptions extends DoorOptions {
  readonly handlers?: Partial<Handlers>;
  readonly openStream?: AppParts['openStream'];
  readonly describe?: AppParts['describe'];
  /** The folder of the page. */
  readonly pageFolder?: string;
  /** Sentences of the server itself. */
  readonly words?: Catalogue;
}

export const PAGE = '<!doctype html><title>Huddle</title><script src="/assets/index-3f9a.js"></script>';

export async function startServer({
  handlers = {},
  openStream,
  describe,
  words = english,
  pageFolder = writePage(),
  ...doorOptions
}: TestServerOptions = {}): Promise<TestServer> {
  const door = new Door(doorOptions);
  const calls: [RouteName, Call][] = [];
  const refused: RefusalFacts[] = [];
  const onRefused = (facts: RefusalFacts) => void refused.push(facts);
  const server = createHttpServer(onRefused, words);
  const port = await listen(server, 0);
  const note =
    (name: RouteName) =>
    async (call: Call): Promise<unknown> => {
      calls.push([name, call]);
      return { did: name };
    };
  const noted = Object.fromEntries(
    (Object.keys(ROUTES) as RouteName[]).map((name) => [name, note(name)]),
  ) as unknown as Handlers;
  const answer = answerRequests({
    door,
    port,
    onRefused,
    version: '1.2.3',
    words,
    assets: readAssets(pageFolder),
    handlers: { ...noted, prompt: noteText('prompt'), export: noteText('export'), ...handlers },
    openStream:
      openStream ??
      (async (call, outgoing) => {
        calls.push(['stream', call]);
        outgoing.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: live\ndata: {}\n\n');
      }),
    describe:
      describe ??
      ((error) =>
        error instanceof HuddleError
          ? { code: error.code, message: error.message }
          : { code: 'UNEXPECTED', message: String(error) }),
    onLetIn: () => undefined,
  });
  for (const event of ['request', 'checkContinue']) server.on(event, answer);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });

  function noteText(name: 'prompt' | 'export') {
    return async (call: Call): Promise<TextAnswer> => {
      calls.push([name, call]);
      return {
        type: 'text/plain; charset=utf-8',
        text: name,
        ...(name === 'export' && { fileName: 'a.html' }),
      };
    };
  }

  const open = (): Socket => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  const send = (text: string | Uint8Array) => readAll(open(), text);
  return {
    port,
    door,
    calls,
    refused,
    open,
    send,
    letIn(role) {
      const knock = door.letIn(door.invite(role).code);
      if (knock.kind !== 'let-in') throw new Error(knock.kind);
      return knock.credentials;
    },
    ask: async (request = {}) => parseAnswer(await send(formatRequest(request, port))),
  };
}

/** Everything that comes back until the other end closes; a reset after that is no matter. */
export function readAll(socket: Socket, text: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    socket.setEncoding('latin1').on('data', (part) => {
      said += part;
    });
    socket.on('error', () => undefined).on('close', () => resolve(said));
    socket.write(text);
  });
}

/** A request as a browser sends it from our own page, with whatever is put in place of that. */
export function formatRequest(request: TestRequest, port: number): string {
  const { method = 'GET', path = '/', version = '1.1', headers = {}, as, body } = request;
  const content = body === undefined ? undefined : JSON.stringify(body);
  const isChange = method !== 'GET' && method !== 'HEAD';
  const all: TestRequest['headers'] = {
    host: `127.0.0.1:${port}`,
    'sec-fetch-site': 'same-origin',
    origin: isChange ? `http://127.0.0.1:${port}` : undefined,
    'content-type': isChange ? 'application/json' : undefined,
    'content-length': content === undefined ? undefined : String(Buffer.byteLength(content)),
    cookie: as && `huddle-${port}=${as.cookie}`,
    'x-huddle-key': as?.key,
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => `${name}: ${each}`),
  );
  return [`${method} ${path} HTTP/${version}`, ...lines, '', content ?? ''].join('\r\n');
}

export function parseAnswer(answer: string): TestAnswer {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers();
  for (const line of lines)
    headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1));
  const text = rest.join('\r\n\r\n');
  const code = /"error":\{"code":"(\w+)"/u.exec(text)?.[1];
  return { status: Number(first.split(' ')[1]), headers, text, ...(code !== undefined && { code }) };
}

function writePage(): string {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'assets', 'index-3f9a.js'), 'console.log(1);');
  writeFileSync(join(folder, 'LICENCES.txt'), 'none of the page');
  return folder;
}
