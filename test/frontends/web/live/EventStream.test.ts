import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EventStream } from '../../../../src/frontends/web/live/EventStream.js';
import { LiveConversation } from '../../../../src/frontends/web/live/LiveConversation.js';
import type { ProgressEvent } from '../../../../src/models/AgentEvent.js';
import type { ConversationEvent, RecordedEvent } from '../../../../src/models/ConversationEvent.js';
import type { ConversationId, MemberId, TurnId } from '../../../../src/models/ids.js';
import { NEW_TELLING } from '../../../../src/presentation/Telling.js';
import { toAsync } from '../../../../src/utils/AnyIterable.js';

const ID = '20261116-0900-aaaa' as ConversationId;
const turnId = 'turn-1' as TurnId;
const memberId = 'max' as MemberId;

/** A conversation that is told by hand, and the streams of it over real connections. */
class Hall {
  readonly live = new LiveConversation(ID, { telling: NEW_TELLING, seq: 0 });
  readonly log: RecordedEvent[] = [];
  readonly outgoing: ServerResponse[] = [];
  readonly streams: EventStream[] = [];
  readonly errors: unknown[] = [];
  /** Numbers of events that were read from the log. */
  readonly read: number[] = [];

  record(...facts: readonly object[]): void {
    for (const fact of facts) {
      const event = { ...fact, v: 1, at: 0, seq: this.log.length + 1 } as RecordedEvent;
      this.log.push(event);
      this.live.tell(event);
    }
  }

  progress(event: ProgressEvent): void {
    this.live.tell({ type: 'turn-progress', v: 1, at: 0, turnId, memberId, event } as ConversationEvent);
  }

  begin(): void {
    this.record(
      {
        type: 'conversation-start',
        conversationId: ID,
        isRehearsal: false,
        team: { name: 't', members: [] },
      },
      { type: 'turn-start', turnId, memberId, triggeredBy: 'msg-1', prompt: {} },
    );
  }

  end(draft = ''): void {
    this.record({
      type: 'turn-end',
      turnId,
      memberId,
      milliseconds: 1,
      result: { kind: 'cancelled', draft },
    });
  }

  async open(after = 0, deafMilliseconds = 30_000): Promise<IncomingMessage> {
    const server = createServer((_request, outgoing) => {
      outgoing.writeHead(200);
      const read = (from: number, to: number) => {
        this.read.push(from);
        return toAsync(this.log.slice(from - 1, to));
      };
      const options = {
        browserId: 'b',
        deafMilliseconds,
        onError: (error: unknown) => this.errors.push(error),
      };
      const stream = new EventStream(outgoing, options, { live: this.live, after, read });
      this.outgoing.push(outgoing);
      this.streams.push(stream);
      stream.begin();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    const asking = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    response.setEncoding('utf8');
    response.on('error', () => undefined);
    return response;
  }
}

/** Reads until a text has come. */
async function readUntil(response: IncomingMessage, text: string): Promise<string> {
  let read = '';
  for await (const chunk of response.iterator({ destroyOnReturn: false })) {
    read += chunk;
    if (read.includes(text)) return read;
  }
  throw new Error(`It ended before ${text}: ${read.slice(-500)}`);
}

/** The names of frames in order; of recorded events their types. */
function namesIn(text: string): string[] {
  return text
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => /^event: (.*)$/mu.exec(frame)?.[1] ?? JSON.parse(frame.slice(frame.indexOf('{'))).type);
}

describe('the stream of one reader', () => {
  test('tells text before the fact that ends its turn, and never all of it again', async () => {
    const hall = new Hall();
    hall.begin();
    const response = await hall.open(2);
    for (const text of ['One ', 'two ', 'three.']) hall.progress({ type: 'text-delta', text });
    hall.end();
    const read = await readUntil(response, 'turn-end');
    expect(namesIn(read)).toEqual(['live', 'progress', 'progress', 'turn-end']);
    expect(read).toContain(`data: {"turnId":"turn-1","at":0,"text":"One "}`);
    expect(read).toContain(`data: {"turnId":"turn-1","at":4,"text":"two three."}`);
  });

  test('has what was written before in its first frame, and goes on from there', async () => {
    const hall = new Hall();
    hall.begin();
    hall.progress({ type: 'text-delta', text: 'One ' });
    const response = await hall.open(2);
    hall.progress({ type: 'text-delta', text: 'two.' });
    const read = await readUntil(response, 'two.');
    expect(read).toContain('data: {"running":[{"turnId":"turn-1","text":"One "}],"requests":[]}');
    expect(read).toContain(`data: {"turnId":"turn-1","at":4,"text":"two."}`);
  });

  test('does not tell thoughts, figures, raw records and details of tools', async () => {
    const hall = new Hall();
    hall.begin();
    const response = await hall.open(2);
    hall.progress({ type: 'thinking', text: 'SECRET' });
    hall.progress({ type: 'raw', value: 'SECRET' } as unknown as ProgressEvent);
    hall.progress({ type: 'tool-detail', toolId: 'SECRET' } as unknown as ProgressEvent);
    hall.progress({ type: 'usage', usage: { inputTokens: 4, cachedInputTokens: 0, outputTokens: 0 } });
    hall.end();
    const read = await readUntil(response, 'turn-end');
    expect(namesIn(read)).toEqual(['live', 'turn-end']);
    expect(read).not.toContain('SECRET');
  });

  test('tells of the first look at the folder', async () => {
    const hall = new Hall();
    hall.begin();
    const response = await hall.open(2);
    hall.live.tell({ type: 'files-progress', v: 1, at: 0, files: 4000 });
    hall.live.tell({ type: 'files-progress', v: 1, at: 0, files: 9000, isDone: true });
    const read = await readUntil(response, '9000,"isDone":true');
    expect(namesIn(read)).toEqual(['live', 'files-progress', 'files-progress']);
    expect(hall.live.telling.filesSeen).toBeNull();
  });

  test('lets others breathe while a reader far behind is told', async () => {
    const hall = new Hall();
    hall.begin();
    hall.record(...Array.from({ length: 4000 }, (_, index) => ({ type: 'task-changed', task: `${index}` })));
    const response = await hall.open(0);
    const read = await readUntil(response, '"3999"');
    expect(namesIn(read)).toHaveLength(1 + 4002);
    // In portions, with a pause after each.
    expect(hall.read.length).toBeGreaterThanOrEqual(13);
    expect(hall.errors).toEqual([]);
  });

  test('drops text for a reader that does not read, ends after a while, and others notice nothing', async () => {
    const hall = new Hall();
    hall.begin();
    const deaf = await hall.open(2, 5000);
    const [outgoing] = hall.outgoing;
    const listener = await hall.open(2);
    // Nothing is read of it from here on.
    deaf.pause();
    const heard = readUntil(listener, 'THE END');
    const most = async (pieces: number) => {
      let length = 0;
      for (let number = 0; number < pieces && length < 1024 ** 2; number++) {
        hall.progress({ type: 'text-delta', text: 'x'.repeat(64 * 1024) });
        await new Promise((resolve) => setTimeout(resolve, 5));
        length = outgoing?.writableLength ?? 0;
      }
      return length;
    };
    expect(await most(1000)).toBeGreaterThan(1024 ** 2);
    for (let number = 0; number < 50; number++) await most(1);
    expect(outgoing?.writableLength).toBeLessThan(2 * 1024 ** 2);
    hall.progress({ type: 'text-delta', text: 'THE END' });
    await heard;
    await hall.streams[0]?.over;
    expect(outgoing?.destroyed).toBe(true);
    expect(hall.errors).toEqual([]);
  });

  test('leaves no listeners behind when its reader is slow, and stops when that goes away', async () => {
    const hall = new Hall();
    hall.begin();
    const response = await hall.open(2);
    response.pause();
    const [outgoing] = hall.outgoing;
    const piece = 'y'.repeat(256 * 1024);
    for (let number = 0; number < 60; number++) hall.record({ type: 'task-changed', task: piece });
    await expect.poll(() => outgoing?.writableNeedDrain).toBe(true);
    const most = Math.max(...['drain', 'close'].map((name) => outgoing?.listenerCount(name) ?? 0));
    expect(most).toBeLessThan(10);
    response.resume();
    await expect.poll(() => outgoing?.writableNeedDrain).toBe(false);
    expect(outgoing?.listenerCount('drain')).toBeLessThanOrEqual(1);
    response.destroy();
    await hall.streams[0]?.over;
    expect(hall.live.listenerCount).toBe(0);
  });
});
