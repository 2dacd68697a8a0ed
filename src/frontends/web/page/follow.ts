import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { summarizeRequest } from '../../../catalogue/permissionRequests.js';
import { describePause, describeTrouble } from '../../../catalogue/tellings.js';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import { namesIn, type Telling } from '../../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import type { Frames } from '../wire.js';
import { type RefusedRequest, readRefusal } from './api.js';
import { announcement } from './state/alerts.js';
import { pageWords as words } from './state/language.js';
import type { OpenConversation } from './state/OpenConversation.js';

/** A frame of the stream: a recorded event, or one of those that are only told. */
export type StreamFrame =
  | { readonly name: 'recorded'; readonly data: RecordedEvent }
  | { [Name in keyof Frames]: { readonly name: Name; readonly data: Frames[Name] } }[keyof Frames];

/** State of the stream. After `refused` and `superseded` it is not tried again by itself. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'reconnecting'; readonly attempts: number }
  | { readonly kind: 'superseded' }
  | { readonly kind: 'refused'; readonly refusal: RefusedRequest };

export interface StreamOptions {
  /** Asked for with every attempt, as are the headers. */
  readonly address: () => string;
  readonly headers: () => Readonly<Record<string, string>>;
  /** All frames that came at once, so that they can be shown at once. */
  readonly onFrames: (frames: readonly StreamFrame[]) => void;
  readonly onState: (state: StreamState) => void;
  /** Milliseconds before an attempt, by the number of those that failed; the last one from then on. */
  readonly waits?: readonly number[];
  /** Milliseconds without a sign of life after which the connection is given up. */
  readonly patience?: number;
}

/** A stream that is being followed. */
export interface Following {
  /** Tries again now; a connection that has been silent for longer than it should is not waited for. */
  hurry(): void;
  stop(): void;
}

const WAITS = [250, 500, 1000, 2000, 4000, 8000];
/** The server sends a sign of life every 15 s. */
const PATIENCE = 35_000;
/** States of the server that pass: too many streams, a busy store. */
const PASSING = new Set([429, 500, 502, 503, 504]);

type End = 'cut' | 'over';

/** Follows the stream of the server, whatever happens to the connection. */
export function follow(options: StreamOptions): Following {
  const attempts = new Attempts(options);
  void attempts.run();
  return { hurry: () => attempts.hurry(), stop: () => attempts.stop() };
}

class Attempts {
  readonly #options: StreamOptions;
  readonly #patience: number;
  #isStopped = false;
  #failures = 0;
  #heardAt = 0;
  #attempt = new AbortController();
  #wake: () => void = () => undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#patience = options.patience ?? PATIENCE;
  }

  async run(): Promise<void> {
    const { onState } = this.#options;
    onState({ kind: 'connecting' });
    while (!this.#isStopped) {
      const end = await this.#tryOnce();
      if (end === 'over' || this.#isStopped) return;
      this.#failures += 1;
      const waited = this.#wait();
      onState({ kind: 'reconnecting', attempts: this.#failures });
      await waited;
    }
  }

  hurry(): void {
    if (Date.now() - this.#heardAt > this.#patience / 2) this.#attempt.abort();
    this.#wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#attempt.abort();
    this.#wake();
  }

  async #tryOnce(): Promise<End> {
    this.#attempt = new AbortController();
    const silence = setInterval(() => {
      if (Date.now() - this.#heardAt > this.#patience) this.#attempt.abort();
    }, this.#patience / 8);
    try {
      return await this.#connect(this.#attempt.signal);
    } catch {
      // The connection was cut or never made, by us or by others: it is made again.
      return 'cut';
    } finally {
      clearInterval(silence);
    }
  }

  async #connect(signal: AbortSignal): Promise<End> {
    const { address, headers, onState } = this.#options;
    this.#heardAt = Date.now();
    const response = await fetch(address(), { headers: headers(), signal, cache: 'no-store' });
    if (response.ok && response.body !== null) return await this.#read(response.body);
    if (PASSING.has(response.status)) return 'cut';
    const refusal = await readRefusal(response);
    if (!this.#isStopped) onState({ kind: 'refused', refusal });
    return 'over';
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<End> {
    let frames: StreamFrame[] = [];
    const parser = createParser({ onEvent: (message) => frames.push(readFrame(message)) });
    const reader = body
      .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
      .getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.#isStopped) return 'cut';
      this.#heardAt = Date.now();
      parser.feed(value);
      if (frames.length === 0) continue;
      const end = this.#take(frames);
      frames = [];
      if (end !== undefined) return end;
    }
  }

  #take(frames: readonly StreamFrame[]): End | undefined {
    const { onFrames, onState } = this.#options;
    if (this.#failures > 0 || frames.some(({ name }) => name === 'live')) onState({ kind: 'live' });
    this.#failures = 0;
    onFrames(frames);
    const ended = frames.find((frame) => frame.name === 'ended');
    if (ended?.data.why !== 'superseded') return undefined;
    this.#attempt.abort();
    onState({ kind: 'superseded' });
    return 'over';
  }

  #wait(): Promise<void> {
    const waits = this.#options.waits ?? WAITS;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waits[Math.min(this.#failures, waits.length) - 1]);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function readFrame({ id, event = '', data }: EventSourceMessage): StreamFrame {
  // Both ends are of one build: the name of a frame says what is in it.
  return { name: id === undefined ? event : 'recorded', data: JSON.parse(data) } as StreamFrame;
}

/** Tells those who listen who answered, who waits for approval, and what failed. */
export function announceEvents({ telling }: OpenConversation, events: readonly RecordedEvent[]): void {
  const said = events.flatMap((event) => describeNews(telling.value, event) ?? []);
  if (said.length > 0) announcement.value = said.join(' ');
}

/** The sentence of an event that people should hear of. */
function describeNews(telling: Pick<Telling, 'members'>, event: RecordedEvent): string | undefined {
  const nameOf = namesIn(telling);
  switch (event.type) {
    case 'message-added':
      return event.turnId === undefined ? undefined : words.web.answered(event.message.speaker.roleName);
    case 'turn-activity': {
      const { event: activity, memberId } = event;
      if (activity.type !== 'permission-request' || activity.isOpen !== true) return undefined;
      return words.web.waitsForApproval(nameOf(memberId), sanitizeToOneLine(summarizeRequest(activity)));
    }
    case 'turn-end':
      if (event.result.kind === 'completed') return undefined;
      return words.web.heard(describeTrouble(nameOf(event.memberId), event.result, words).what);
    case 'conversation-pause':
      return describePause(event.reason, words);
    default:
      return undefined;
  }
}
