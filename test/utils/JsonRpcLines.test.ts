import { PassThrough } from 'node:stream';
import { setImmediate as nextTick } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toArray } from '../../src/utils/AnyIterable.js';
import { JsonRpcLines, type JsonRpcLinesOptions, type MessageRole } from '../../src/utils/JsonRpcLines.js';
import { tries } from '../tier.js';

type Message = Readonly<Record<string, unknown>>;

/** One side, with the other side's input and what was written to it. */
function connect(options: JsonRpcLinesOptions = {}) {
  const input = new PassThrough();
  const written: Message[] = [];
  const lines = new JsonRpcLines<Message>(
    input,
    async (text) =>
      void written.push(
        ...text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    options,
  );
  const received: Message[] = [];
  const read = (async () => {
    for await (const message of lines.messages()) received.push(message);
  })();
  const say = async (...messages: readonly (object | string)[]): Promise<void> => {
    for (const message of messages)
      input.write(
        typeof message === 'string' ? message : `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`,
      );
    for (let turns = 0; turns < 5; turns += 1) await nextTick();
  };
  return { lines, input, written, received, read, say };
}

const request = (id: unknown, method = 'ask') => ({ id, method });
const answerTo = (id: unknown): Message => ({ jsonrpc: '2.0', id, result: {} });
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id);

describe('requests and answers', () => {
  test('go both ways, and an answer to nothing is passed over', async () => {
    const { lines, written, received, say } = connect();
    await lines.send({ jsonrpc: '2.0', id: 7, method: 'ours' });
    await say(request('theirs'), { id: 8, result: 'to nothing' }, { id: 7, result: 'to ours' });
    await say({ id: 7, result: 'once more' }, { method: 'notification' });
    expect(received.map(({ method, result }) => method ?? result)).toEqual([
      'ask',
      'to ours',
      'notification',
    ]);
    expect(written).toEqual([{ jsonrpc: '2.0', id: 7, method: 'ours' }]);
  });

  test('an answer is one by its id, whatever else is wrong with it: its request must not wait for ever', async () => {
    const { lines, received, say } = connect();
    await lines.send({ jsonrpc: '2.0', id: 1, method: 'ours' });
    await say('{"id":1,"error":"no"}\n');
    expect(received).toEqual([{ id: 1, error: 'no' }]);
  });

  test('work after an answer is done at once after it, and not before', async () => {
    const { lines, written, say } = connect({ maxOpenRequests: 2 });
    await say(request(1), request(2));
    const seen: unknown[] = [];
    lines.afterAnswer(1, () => seen.push(ids(written)));
    await lines.send(answerTo(2));
    expect(seen).toEqual([]);
    await lines.send(answerTo(1));
    expect(seen).toEqual([[2, 1]]);
  });

  test('all are answered when the last one is, also of two with one id', async () => {
    const { lines, say } = connect({ maxOpenRequests: 9 });
    await say(request(1), request(1), request(null));
    let isDone = false;
    const done = lines.allAnswered().then(() => {
      isDone = true;
    });
    for (const id of [1, null]) await lines.send(answerTo(id));
    await nextTick();
    expect(isDone).toBe(false);
    await lines.send(answerTo(1));
    await done;
  });
});

describe('a side that floods', () => {
  test('is read no further than there is room for its requests', async () => {
    const { lines, received, say } = connect({ maxOpenRequests: 2 });
    await say(...[1, 2, 3, 4].map((id) => request(id)), { method: 'after them' });
    expect(ids(received)).toEqual([1, 2]);
    await lines.send(answerTo(2));
    await nextTick();
    expect(ids(received)).toEqual([1, 2, 3]);
    await lines.send(answerTo(99));
    await nextTick();
    expect(received).toHaveLength(3);
    for (const id of [1, 3]) await lines.send(answerTo(id));
    await say();
    expect(received.map(({ id, method }) => id ?? method)).toEqual([1, 2, 3, 4, 'after them']);
  });

  test('can answer ours while its own requests wait', async () => {
    const { lines, received, say } = connect({ maxOpenRequests: 2 });
    await lines.send({ jsonrpc: '2.0', id: 'ours', method: 'ask' });
    await say(request(1), request(2), { id: 'ours', result: {} });
    expect(ids(received)).toEqual([1, 2, 'ours']);
  });

  test('is read no further than its messages are taken', async () => {
    let readCount = 0;
    async function* chatter(): AsyncGenerator<Uint8Array> {
      for (; ; readCount += 1) yield Buffer.from('{"jsonrpc":"2.0","method":"more"}\n');
    }
    const messages = new JsonRpcLines<Message>(chatter(), async () => undefined).messages();
    for (let count = 0; count < 3; count += 1) await messages.next();
    await nextTick();
    expect(readCount).toBe(2);
    await messages.return();
  });
});

describe('what is no message', () => {
  const garbage = ['hello\n', '[]\n', '42\n', 'null\n', '{}\n', '{"jsonrpc":"1.0","id":5,"method":"x"}\n'];

  test('is passed over', async () => {
    const { lines, written, received, say } = connect();
    await say(...garbage, '{"jsonrpc":"2.0","id":{},"method":"x"}\n', { method: 'here' });
    expect(received).toEqual([{ jsonrpc: '2.0', method: 'here' }]);
    expect(written).toEqual([]);
    expect(lines.lines.badLines).toBe(1);
  });

  test('is answered with an error, to the request that it seems to be', async () => {
    const { written, say } = connect({ parseError: 'Parse error' });
    await say(...garbage);
    expect(written.map(({ id, error }) => [id, (error as { code: number }).code])).toEqual([
      [null, -32700],
      ...[null, null, null, null, 5].map((id) => [id, -32600]),
    ]);
  });

  test('a line that is too long is refused by its id, however it comes', async () => {
    const maxLineBytes = 1024 * 1024;
    const { written, received, say } = connect({ parseError: 'Parse error', maxLineBytes });
    const long = `{"jsonrpc":"2.0","id":"long","method":"x","params":"${'x'.repeat(maxLineBytes)}`;
    await say(long.slice(0, 20));
    for (let at = 20; at < long.length; at += 100_000) await say(long.slice(at, at + 100_000));
    await say(`"}\n`, request('after it'));
    expect(written).toEqual([
      { jsonrpc: '2.0', id: 'long', error: { code: -32600, message: 'Messages may have at most 1 MB' } },
    ]);
    expect(ids(received)).toEqual(['after it']);
  });
});

test('the messages are the same, however their bytes are cut, and the last one needs no line end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ method: fc.string({ unit: 'grapheme' }), params: fc.jsonValue() }), {
        maxLength: 5,
      }),
      fc.array(fc.nat(200), { maxLength: 6 }),
      async (sent, places) => {
        const messages = sent.map((each) => ({ jsonrpc: '2.0', ...JSON.parse(JSON.stringify(each)) }));
        const bytes = Buffer.from(messages.map((message) => JSON.stringify(message)).join('\n'));
        const cuts = [0, ...places.map((place) => Math.min(place, bytes.length)), bytes.length].sort(
          (a, b) => a - b,
        );
        const chunks = cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
        const lines = new JsonRpcLines<Message>(PassThrough.from(chunks), async () => undefined);
        expect(await toArray(lines.messages())).toEqual(messages);
      },
    ),
    { numRuns: tries(200) },
  );
});

describe('a dialect of its own', () => {
  /** Requests and answers of a control protocol among records that are neither. */
  function roleOf(record: unknown): MessageRole | undefined {
    const { type, request_id: id, response } = Object(record);
    if (typeof type !== 'string') return undefined;
    if (type === 'control_request') return { kind: 'request', id };
    return type === 'control_response'
      ? { kind: 'answer', id: response.request_id }
      : { kind: 'notification' };
  }

  test('says itself what a request and what an answer is', async () => {
    const { lines, received, say } = connect({ roleOf, maxOpenRequests: 1 });
    await lines.send({ type: 'control_request', request_id: '1', request: { subtype: 'initialize' } });
    await say(
      { type: 'control_response', response: { request_id: 'none' } },
      { type: 'control_response', response: { request_id: '1' } },
      { type: 'assistant' },
      { type: 'control_request', request_id: 'a' },
      { type: 'control_request', request_id: 'b' },
    );
    expect(received.map(({ type, request_id: id }) => id ?? type)).toEqual([
      'control_response',
      'assistant',
      'a',
    ]);
    await lines.send({ type: 'control_response', response: { request_id: 'a' } });
    await nextTick();
    expect(received.at(-1)).toMatchObject({ request_id: 'b' });
  });
});
