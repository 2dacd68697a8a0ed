import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { anthropic } from './anthropic.js';
import { chat } from './chat.js';
import { gemini } from './gemini.js';
import type { ModelRequest } from './ModelRequest.js';
import { openai } from './openai.js';
import type { Protocol } from './Protocol.js';
import { type Behaviour, type Reply, type SpokenReply, say } from './Reply.js';

const PROTOCOLS: readonly Protocol[] = [anthropic, openai, gemini, chat];

/** No model answers a long prompt at once, and Gemini CLI loses what of its output was not read when it ends. */
const BYTES_READ_PER_MILLISECOND = 1000;

/** Long enough for pieces to arrive one by one, and for a CLI to print what came before a break. */
const PIECE_MILLISECONDS = 15;
const BREAK_MILLISECONDS = 150;

/** Other questions that CLIs ask on the way, and the least that satisfies them. */
const SMALL_ANSWERS: ReadonlyArray<readonly [path: RegExp, answer: object]> = [
  [/count_tokens$/, { input_tokens: 1 }],
  [/:countTokens/, { totalTokens: 1 }],
  [/\/models$/, { object: 'list', data: [], models: [] }],
];

/** The models of all vendors on one local port: says what it is told to say, and remembers what it was asked. */
export class FakeModel {
  readonly #server: Server;
  readonly #news = new EventEmitter();
  readonly #received: ModelRequest[] = [];
  #behaviour: Behaviour = () => say('Hello from the fake model.');

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<FakeModel> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FakeModel(server);
  }

  get url(): string {
    // It listens on a port, not on a pipe.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What the model was asked on our account, oldest first. */
  get received(): readonly ModelRequest[] {
    return this.#received;
  }

  /** From now on; forgets what was received. */
  behave(behaviour: Behaviour): void {
    this.#behaviour = behaviour;
    this.#received.length = 0;
  }

  /** Resolves with the next request. */
  async nextRequest(): Promise<ModelRequest> {
    const [request] = await once(this.#news, 'request');
    return request;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url?.split('?')[0] ?? '';
    const body = await text(incoming);
    const protocol = PROTOCOLS.find((candidate) => candidate.serves(path));
    if (protocol === undefined) {
      const known = SMALL_ANSWERS.find(([pattern]) => pattern.test(path));
      sendJson(response, known ? 200 : 404, known?.[1] ?? { error: { message: 'no such route' } });
      return;
    }
    const request = protocol.read({ path, body, parsed: JSON.parse(body) });
    if (request.isSideQuestion) {
      await give(protocol.sideReply?.(request) ?? say('A title'), request, protocol, response);
      return;
    }
    this.#received.push(request);
    this.#news.emit('request', request);
    await delay(body.length / BYTES_READ_PER_MILLISECOND);
    await give(this.#behaviour(request), request, protocol, response);
  }
}

async function give(
  reply: Reply,
  request: ModelRequest,
  protocol: Protocol,
  response: ServerResponse,
): Promise<void> {
  switch (reply.kind) {
    case 'hang':
      return;
    case 'refuse':
      if (reply.status === 429) response.setHeader('retry-after', '1');
      sendJson(response, reply.status, protocol.refusal(reply.status));
      return;
    case 'say':
    case 'use':
      if (request.streams) await stream(reply, request, protocol, response);
      else sendJson(response, 200, protocol.whole(reply, request, newId()));
  }
}

async function stream(
  reply: SpokenReply,
  request: ModelRequest,
  protocol: Protocol,
  response: ServerResponse,
): Promise<void> {
  const { opening, said, closing } = protocol.stream(reply, request, newId());
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(opening.join(''));
  for (const event of said) {
    response.write(event);
    await delay(PIECE_MILLISECONDS);
  }
  const ending = reply.kind === 'say' ? reply.ending : undefined;
  if (ending === 'hang') return;
  if (ending === 'cut') {
    await delay(BREAK_MILLISECONDS);
    response.destroy();
  } else response.end(closing.join(''));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

let count = 0;
function newId(): string {
  count++;
  return `made_up_${count}`;
}
