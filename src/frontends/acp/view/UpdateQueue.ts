import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { GatheredText } from '../../../utils/GatheredText.js';
import { isTextChunk, LONGEST_CHUNK, type TextChunk, withText } from './Thread.js';
import { mergeToolNews } from './ToolCards.js';

/** Characters that may wait besides answers. Beyond it the oldest are dropped, until half of it is left. */
const MOST_WAITING = 4 * 1024 ** 2;

/** Something that waits to be sent. */
type Waiting =
  /** All of a text that came meanwhile. */
  | { readonly kind: 'text'; readonly chunk: TextChunk; readonly text: GatheredText }
  | { readonly kind: 'update'; update: SessionUpdate; size: number }
  /** Something to do when all before it is on the wire. */
  | { readonly kind: 'act'; readonly act: () => void };

/**
 * Updates on their way to a client, one at a time. What waits is gathered: text grows, and newer states replace older ones. So
 * a client that is slow gets fewer updates, and one that does not read costs no more than the answers themselves.
 */
export class UpdateQueue {
  readonly #send: (update: SessionUpdate) => Promise<void>;
  #waiting: Waiting[] = [];
  /** The entries that newer states replace, by what they are the state of. */
  readonly #states = new Map<string, Extract<Waiting, { kind: 'update' }>>();
  /** Characters that may be dropped. */
  #droppable = 0;
  #isSending = false;
  #isHeld = true;
  #isClosed = false;
  #onIdle: (() => void)[] = [];

  /** `send` resolves when an update is on the wire. Nothing is sent before `release`. */
  constructor(send: (update: SessionUpdate) => Promise<void>) {
    this.#send = send;
  }

  add(update: SessionUpdate): void {
    if (this.#isClosed) return;
    if (isTextChunk(update)) this.#addText(update);
    else this.#addState(update);
    if (this.#droppable > MOST_WAITING) this.#drop();
    void this.#run();
  }

  /** Does something once everything added before is on the wire, or never will be. */
  after(act: () => void): void {
    if (this.#isClosed) {
      act();
      return;
    }
    this.#waiting.push({ kind: 'act', act });
    void this.#run();
  }

  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    void this.#run();
  }

  /** Resolves when everything is on the wire, or never will be. */
  async drained(): Promise<void> {
    while (!this.#isClosed && (this.#isSending || this.#waiting.length > 0))
      await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Forgets what waits, and takes no more. */
  close(): void {
    this.#isClosed = true;
    const left = this.#waiting;
    this.#waiting = [];
    this.#states.clear();
    for (const waiting of left) if (waiting.kind === 'act') waiting.act();
    this.#wakeIdle();
  }

  #addText(chunk: TextChunk): void {
    const { text } = chunk.content;
    const last = this.#waiting.at(-1);
    if (isThought(chunk)) this.#droppable += text.length;
    const isContinued = last?.kind === 'text' && isSameText(last.chunk, chunk);
    const gathered = isContinued ? last.text : new GatheredText();
    gathered.add(text);
    if (!isContinued) this.#waiting.push({ kind: 'text', chunk, text: gathered });
  }

  #addState(update: SessionUpdate): void {
    const key = keyOf(update);
    const before = key === undefined ? undefined : this.#states.get(key);
    if (before === undefined) {
      const waiting = { kind: 'update' as const, update, size: sizeOf(update) };
      if (key !== undefined) this.#states.set(key, waiting);
      this.#waiting.push(waiting);
      this.#droppable += waiting.size;
    } else {
      this.#droppable -= before.size;
      before.update = mergeToolNews(before.update, update);
      before.size = sizeOf(before.update);
      this.#droppable += before.size;
    }
  }

  async #run(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#send(next);
    } catch {
      // The client is gone: whoever waits for it is told so, and nothing more is sent.
      this.close();
    } finally {
      this.#isSending = false;
    }
    if (this.#waiting.length === 0) this.#wakeIdle();
  }

  /** Takes the next update; what is to be done before it is done. */
  #next(): SessionUpdate | undefined {
    while (!this.#isHeld) {
      const waiting = this.#waiting[0];
      if (waiting === undefined) return undefined;
      if (waiting.kind === 'text') {
        const text = waiting.text.take(LONGEST_CHUNK);
        if (waiting.text.length === 0) this.#waiting.shift();
        if (isThought(waiting.chunk)) this.#droppable -= text.length;
        if (text === '') continue;
        return withText(waiting.chunk, text);
      }
      this.#waiting.shift();
      if (waiting.kind === 'act') {
        waiting.act();
        continue;
      }
      const key = keyOf(waiting.update);
      if (key !== undefined) this.#states.delete(key);
      this.#droppable -= waiting.size;
      return waiting.update;
    }
    return undefined;
  }

  /** Drops thoughts and what tools put out, the oldest first. */
  #drop(): void {
    for (const waiting of this.#waiting) {
      if (this.#droppable <= MOST_WAITING / 2) return;
      if (waiting.kind === 'text' && isThought(waiting.chunk)) {
        this.#droppable -= waiting.text.length;
        waiting.text.clear();
      } else if (waiting.kind === 'update' && waiting.size > 0) {
        this.#droppable -= waiting.size;
        waiting.size = 0;
        const { content, ...rest } = waiting.update as Extract<SessionUpdate, { toolCallId: string }>;
        waiting.update = rest as SessionUpdate;
      }
    }
  }

  #wakeIdle(): void {
    const woken = this.#onIdle;
    this.#onIdle = [];
    for (const wake of woken) wake();
  }
}

function isThought({ sessionUpdate }: TextChunk): boolean {
  return sessionUpdate === 'agent_thought_chunk';
}

/** Whether two pieces are of one text, and of the same source: a line of ours in it stays apart. */
function isSameText(one: TextChunk, other: TextChunk): boolean {
  const isSameBlock = one.messageId === other.messageId && one.sessionUpdate === other.sessionUpdate;
  return isSameBlock && one._meta?.huddle === other._meta?.huddle;
}

/** Names what an update is the state of; undefined: it is an event of its own. */
function keyOf(update: SessionUpdate): string | undefined {
  switch (update.sessionUpdate) {
    case 'tool_call':
    case 'tool_call_update':
      return `tool ${update.toolCallId}`;
    case 'plan':
    case 'usage_update':
    case 'session_info_update':
      return update.sessionUpdate;
    default:
      return undefined;
  }
}

/** Characters of what a tool put out or changed. */
function sizeOf(update: SessionUpdate): number {
  if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return 0;
  return (update.content ?? []).reduce((sum, part) => {
    if (part.type === 'diff') return sum + (part.oldText?.length ?? 0) + part.newText.length;
    return part.type === 'content' && part.content.type === 'text' ? sum + part.content.text.length : sum;
  }, 0);
}
