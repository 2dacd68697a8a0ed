import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import {
  type Following,
  follow,
  type StreamFrame,
  type StreamOptions,
  type StreamState,
} from '../../../../src/frontends/web/page/follow.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

test('resumes after every cut: twenty connections, no event lost and none twice', async () => {
  const all = 200;
  let cuts = 0;
  const { batches, ended } = await followed((request, response) => {
    const after = Number(new URL(request.url ?? '', 'http://x').searchParams.get('after') ?? 0);
    open(response);
    for (let seq = after + 1; seq <= Math.min(after + 10, all); seq++) write(response, { seq }, seq);
    cuts += 1;
    // Half of a frame is left behind: it is no event.
    if (after + 10 < all) response.end(`id: ${after + 11}\ndata: {"se`);
    else write(response, { why: 'superseded' }, undefined, 'ended');
  });
  await ended;
  expect(batches.flat().map(({ data }) => ('seq' in data ? data.seq : data))).toEqual([
    ...Array.from({ length: all }, (_, index) => index + 1),
    { why: 'superseded' },
  ]);
  expect(cuts).toBe(20);
});

test('frames that come at once are handed on at once', async () => {
  const { batches, ended } = await followed((_, response) => {
    open(response);
    const frames = [1, 2, 3].map((seq) => format({ seq }, seq)).join('');
    response.write(frames + format({ why: 'superseded' }, undefined, 'ended'));
  });
  await ended;
  expect(batches.map(({ length }) => length)).toEqual([4]);
});

test('characters that are cut in two by the network arrive whole', async () => {
  const { batches, ended } = await followed((_, response) => {
    open(response);
    const bytes = Buffer.from(
      format({ turnId: 'turn-1', at: 0, text: '汉字 🙂' }, undefined, 'progress') +
        format({ why: 'superseded' }, undefined, 'ended'),
    );
    response.write(bytes.subarray(0, 52));
    setTimeout(() => response.write(bytes.subarray(52)), 20);
  });
  await ended;
  expect(batches.flat()[0]).toEqual({ name: 'progress', data: { turnId: 'turn-1', at: 0, text: '汉字 🙂' } });
});

test('says when it is live, when it tries again, and when another tab took over', async () => {
  let connections = 0;
  const { states, ended } = await followed((_, response) => {
    connections += 1;
    open(response);
    write(response, { running: [], requests: [] }, undefined, 'live');
    if (connections === 1) response.end();
    else write(response, { why: 'superseded' }, undefined, 'ended');
  });
  await ended;
  expect(states).toEqual([
    { kind: 'connecting' },
    { kind: 'live' },
    { kind: 'reconnecting', attempts: 1 },
    { kind: 'live' },
    { kind: 'superseded' },
  ]);
});

test('a refusal is handed on, and not asked for again', async () => {
  let requests = 0;
  const { states, ended } = await followed((_, response) => {
    requests += 1;
    response.writeHead(409, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 'RELOAD', message: 'Load the conversation again.' } }));
  });
  await ended;
  expect(states.at(-1)).toMatchObject({ kind: 'refused', refusal: { code: 'RELOAD' } });
  expect(requests).toBe(1);
});

test('a store that is busy for a while is asked again', async () => {
  let requests = 0;
  const { states, ended } = await followed((_, response) => {
    requests += 1;
    if (requests < 3) response.writeHead(503).end();
    else {
      open(response);
      write(response, { why: 'superseded' }, undefined, 'ended');
    }
  });
  await ended;
  expect(states.map(({ kind }) => kind)).toEqual([
    'connecting',
    'reconnecting',
    'reconnecting',
    'live',
    'superseded',
  ]);
});

test('a connection without a sign of life is given up', async () => {
  let connections = 0;
  const { ended } = await followed(
    (_, response) => {
      connections += 1;
      open(response);
      write(response, { running: [], requests: [] }, undefined, 'live');
      if (connections > 1) write(response, { why: 'superseded' }, undefined, 'ended');
    },
    { patience: 80 },
  );
  await ended;
  // On a busy machine the next one may be given up as well.
  expect(connections).toBeGreaterThan(1);
});

test('does not wait when it is told to hurry', async () => {
  let connections = 0;
  const { ended, following } = await followed(
    (_, response) => {
      connections += 1;
      if (connections === 1) response.destroy();
      else {
        open(response);
        write(response, { why: 'superseded' }, undefined, 'ended');
      }
    },
    { waits: [3_600_000], onState: ({ kind }) => kind === 'reconnecting' && following().hurry() },
  );
  await ended;
  expect(connections).toBe(2);
});

test('a stream that was stopped says nothing more', async () => {
  const { states, following, connected } = await followed((_, response) => open(response));
  await connected;
  following().stop();
  await new Promise((resolve) => setImmediate(resolve));
  expect(states).toEqual([{ kind: 'connecting' }]);
});

async function followed(answer: Answer, options: Partial<StreamOptions> = {}) {
  let seq = 0;
  const batches: (readonly StreamFrame[])[] = [];
  const states: StreamState[] = [];
  let hasEnded: () => void = () => undefined;
  let hasConnected: () => void = () => undefined;
  let current: Following | undefined;
  const ended = new Promise<void>((resolve) => {
    hasEnded = resolve;
  });
  const connected = new Promise<void>((resolve) => {
    hasConnected = resolve;
  });
  const server = createServer((request, response) => {
    answer(request, response);
    hasConnected();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    current?.stop();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  current = follow({
    address: () => `http://127.0.0.1:${port}/api/stream?after=${seq}`,
    headers: () => ({ 'x-huddle-key': 'key' }),
    waits: [1],
    ...options,
    onFrames: (frames) => {
      batches.push(frames);
      for (const { name, data } of frames) if (name === 'recorded') seq = data.seq;
    },
    onState: (state) => {
      states.push(state);
      options.onState?.(state);
      if (state.kind === 'superseded' || state.kind === 'refused') hasEnded();
    },
  });
  const following = () => current as Following;
  return {
    batches,
    states,
    ended,
    connected,
    following,
  };
}

function open(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
}

function write(response: ServerResponse, data: object, id?: number, event?: string): void {
  response.write(format(data, id, event));
}

function format(data: object, id?: number, event?: string): string {
  const head = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
  ];
  return [...head, `data: ${JSON.stringify(data)}`, '', ''].join('\n');
}
