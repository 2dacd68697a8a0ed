import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { FilesProgress, RecordedEvent } from '../../../models/ConversationEvent.js';
import { HuddleError } from '../../../models/errors.js';
import type { ConversationId, TurnId } from '../../../models/ids.js';
import type { Frames, ListedConversation } from '../wire.js';
import { frameOf, frameOfEvent, type LiveConversation, type LiveListener } from './LiveConversation.js';
import { Outlet } from './Outlet.js';

/** Text of running turns is told this often at most. */
const JOINED_MILLISECONDS = 33;
/** Events that are written without a pause. */
const BREATH = 256;

/** A conversation that a stream tells, and from which event on. */
export interface StreamSource {
  readonly live: LiveConversation;
  /** The last event that the reader has. */
  readonly after: number;
  /** Events that are no longer kept by `live`. */
  readonly read: (from: number, to: number) => AsyncIterable<RecordedEvent>;
}

interface ReaderOptions {
  readonly browserId: string;
  readonly deafMilliseconds: number;
  /** Hears that the stream broke for a reason other than the reader's. */
  readonly onError: (error: unknown) => void;
}

/**
 * The stream of one reader: what is recorded, from the log, and what runs. Nothing is queued for a reader: one who is behind
 * is told from the log, and the text of a running turn from the offset up to which it was told.
 */
export class EventStream implements LiveListener {
  readonly browserId: string;
  /** Resolves when the reader is gone or was sent away. */
  readonly over: Promise<void>;
  readonly #outlet: Outlet;
  readonly #onError: ReaderOptions['onError'];
  readonly #source: StreamSource | undefined;
  /** The offsets up to which the texts that changed since were told. */
  readonly #changedTexts = new Map<TurnId, number>();
  /** Sessions that changed and that the reader was not told of; null: deleted. */
  readonly #sessions = new Map<ConversationId, ListedConversation | null>();
  /** The last event that was written. */
  #sent: number;
  #isPumping = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(outgoing: ServerResponse, options: ReaderOptions, source?: StreamSource) {
    this.browserId = options.browserId;
    this.#onError = options.onError;
    this.#source = source;
    this.#sent = source?.after ?? 0;
    this.#outlet = new Outlet(outgoing, options.deafMilliseconds);
    // A reader may have gone while its conversation was read.
    this.over = outgoing.destroyed ? Promise.resolve() : untilClosed(outgoing);
  }

  /** Tells what runs and what waits, and from then on everything, until the reader is gone. */
  begin(): void {
    const { live } = this.#source ?? {};
    const { running = [], requests = [] } = live?.now() ?? {};
    this.send('live', { running, requests });
    const stopListening = live?.listen(this);
    void this.over.then(() => {
      stopListening?.();
      clearTimeout(this.#timer);
    });
    this.onRecorded();
  }

  send<Name extends keyof Frames>(name: Name, data: Frames[Name]): void {
    this.#outlet.write(frameOf(name, data));
  }

  /** Tells which sessions changed; one who does not read is told later, of each session once. */
  tellSessions({ changed, deleted }: Frames['sessions']): void {
    for (const listed of changed) this.#sessions.set(listed.id, listed);
    for (const id of deleted) this.#sessions.set(id, null);
    if (this.#outlet.isFull || this.#sessions.size === 0) return;
    const news = [...this.#sessions];
    this.#sessions.clear();
    this.send('sessions', {
      changed: news.flatMap(([, listed]) => listed ?? []),
      deleted: news.flatMap(([id, listed]) => (listed === null ? id : [])),
    });
  }

  /** Says that the server is there. */
  tellAlive(): void {
    this.tellSessions({ changed: [], deleted: [] });
    this.send('alive', {});
  }

  end(why: Frames['ended']['why']): void {
    this.#outlet.end(frameOf('ended', { why }));
  }

  onText(turnId: TurnId, at: number): void {
    this.#changedTexts.set(turnId, Math.min(at, this.#changedTexts.get(turnId) ?? at));
    if (this.#timer === undefined) this.#joinTexts();
  }

  beforeEnd(): void {
    this.#tellTexts();
  }

  onRecorded(): void {
    if (!this.#isPumping && this.#source !== undefined) void this.#pump(this.#source);
  }

  onFiles({ files, isDone }: FilesProgress): void {
    this.send('files-progress', { files, isDone: isDone === true });
  }

  get #isBehind(): boolean {
    return this.#source !== undefined && this.#sent < this.#source.live.seq;
  }

  /** Writes what is recorded and was not written yet; at once, as long as the reader reads. Never rejects. */
  async #pump(source: StreamSource): Promise<void> {
    this.#isPumping = true;
    try {
      for (let written = 1; this.#isBehind && !this.#outlet.isOver; written++) {
        const isKept = this.#writeKept(source.live);
        if (!isKept) await this.#writeFromLog(source);
        if (this.#outlet.isBlocked) await this.#outlet.roomToWrite();
        if (!isKept || written % BREATH === 0) await setImmediate();
      }
    } catch (error) {
      // The reader comes again, from the event that it has, and is told then.
      this.#outlet.end('');
      this.#onError(error);
    } finally {
      this.#isPumping = false;
    }
  }

  #writeKept(live: LiveConversation): boolean {
    const next = this.#sent + 1;
    const frame = live.frameAt(next);
    if (frame !== undefined) this.#writeEvent(next, frame);
    return frame !== undefined;
  }

  async #writeFromLog({ live, read }: StreamSource): Promise<void> {
    const next = this.#sent + 1;
    for await (const event of read(next, Math.min(live.seq, next + BREATH - 1))) {
      this.#writeEvent(event.seq, frameOfEvent(event));
      if (this.#outlet.isBlocked) await this.#outlet.roomToWrite();
      if (this.#outlet.isOver) return;
    }
  }

  #writeEvent(seq: number, frame: string): void {
    this.#outlet.write(frame);
    this.#sent = seq;
  }

  #joinTexts(): void {
    this.#tellTexts();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#changedTexts.size > 0) this.#joinTexts();
    }, JOINED_MILLISECONDS);
  }

  /** Tells the texts that changed, unless the reader does not read, or has yet to hear of their turns. */
  #tellTexts(): void {
    if (this.#outlet.isFull || this.#isBehind) return;
    for (const [turnId, at] of this.#changedTexts) {
      const text = this.#source?.live.textOf(turnId);
      if (text !== undefined) this.send('progress', { turnId, at, text: text.slice(at) });
    }
    this.#changedTexts.clear();
  }
}

function untilClosed(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => outgoing.once('close', resolve));
}

const MOST_STREAMS = 64;
/** A browser has six connections to a server; requests need some of them. */
const MOST_OF_A_BROWSER = 4;

/** The streams that are open. */
export class Streams {
  readonly #streams = new Set<EventStream>();
  readonly #alive: NodeJS.Timeout;

  constructor(aliveMilliseconds: number) {
    this.#alive = setInterval(() => {
      for (const stream of this.#streams) stream.tellAlive();
    }, aliveMilliseconds);
    this.#alive.unref();
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Makes room for one more of a browser: its oldest goes. Throws if there are too many of all. */
  makeRoom(browserId: string): void {
    const own = [...this.#streams].filter((stream) => stream.browserId === browserId);
    const gone = own.slice(0, Math.max(0, own.length - MOST_OF_A_BROWSER + 1));
    if (this.#streams.size - gone.length >= MOST_STREAMS)
      throw new HuddleError('TOO_MANY_STREAMS', { most: MOST_STREAMS });
    for (const stream of gone) this.#end(stream, 'superseded');
  }

  add(stream: EventStream): void {
    this.#streams.add(stream);
    void stream.over.then(() => this.#streams.delete(stream));
  }

  tellSessions(changes: Frames['sessions']): void {
    for (const stream of this.#streams) stream.tellSessions(changes);
  }

  close(): void {
    clearInterval(this.#alive);
    for (const stream of this.#streams) this.#end(stream, 'closing');
  }

  #end(stream: EventStream, why: Frames['ended']['why']): void {
    this.#streams.delete(stream);
    stream.end(why);
  }
}
