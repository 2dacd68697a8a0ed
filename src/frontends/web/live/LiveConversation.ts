import type {
  ConversationEvent,
  FilesProgress,
  RecordedEvent,
  TurnProgress,
} from '../../../models/ConversationEvent.js';
import type { ConversationId, TurnId } from '../../../models/ids.js';
import type { Telling } from '../../../presentation/Telling.js';
import { tell } from '../../../presentation/tell.js';
import { openRequests } from '../folds.js';
import type { Frames, OpenRequest, RunningText } from '../wire.js';

/** Recorded events that are kept for readers at the end of the log, so that they are read and written out once. */
const MOST_FRAMES = 512;
const MOST_CHARACTERS = 1024 ** 2;

/** Callbacks of one who follows a conversation. None of them may throw. */
export interface LiveListener {
  /** The text of a running turn is another one from this offset on. */
  onText?(turnId: TurnId, at: number): void;
  /** Text that was not told yet is to be told now: a turn ends, and its text is dropped after this. */
  beforeEnd?(): void;
  /** There are events up to a higher number. */
  onRecorded(): void;
  onFiles?(progress: FilesProgress): void;
}

/** A conversation at one moment. */
interface LiveMoment {
  readonly telling: Telling;
  /** The number of the last event that was told. */
  readonly seq: number;
  readonly running: readonly RunningText[];
  readonly requests: readonly OpenRequest[];
}

/** A conversation that someone follows: folded event by event, with the texts of running turns, and told to listeners. */
export class LiveConversation {
  readonly id: ConversationId;
  readonly #listeners = new Set<LiveListener>();
  readonly #texts = new RunningTexts();
  #telling: Telling;
  #seq: number;
  /** The frames of the last events, up to `#seq`. */
  #frames: string[] = [];
  #characters = 0;

  constructor(id: ConversationId, { telling, seq }: Pick<LiveMoment, 'telling' | 'seq'>) {
    this.id = id;
    this.#telling = telling;
    this.#seq = seq;
  }

  get seq(): number {
    return this.#seq;
  }

  get telling(): Telling {
    return this.#telling;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  now(): LiveMoment {
    return {
      telling: this.#telling,
      seq: this.#seq,
      running: this.#texts.all(),
      requests: openRequests(this.#telling),
    };
  }

  textOf(turnId: TurnId): string | undefined {
    return this.#texts.textOf(turnId);
  }

  /** The frame of an event, if it is one of the last. */
  frameAt(seq: number): string | undefined {
    return this.#frames[this.#frames.length - 1 - (this.#seq - seq)];
  }

  /** Returns the function that ends this. */
  listen(listener: LiveListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells one more event. Recorded ones that were told before are passed over. */
  tell(event: ConversationEvent): void {
    if (event.type === 'turn-progress') {
      const at = this.#texts.note(event);
      if (at !== undefined) for (const listener of this.#listeners) listener.onText?.(event.turnId, at);
    } else if (event.type === 'files-progress') {
      this.#telling = tell(this.#telling, event).telling;
      for (const listener of this.#listeners) listener.onFiles?.(event);
    } else if (event.seq > this.#seq) this.#record(event);
  }

  #record(event: RecordedEvent): void {
    if (event.type === 'turn-end') {
      for (const listener of this.#listeners) listener.beforeEnd?.();
      this.#texts.end(event.turnId);
    }
    this.#telling = tell(this.#telling, event).telling;
    this.#seq = event.seq;
    this.#keep(frameOfEvent(event));
    for (const listener of this.#listeners) listener.onRecorded();
  }

  #keep(frame: string): void {
    this.#frames.push(frame);
    this.#characters += frame.length;
    while (
      this.#frames.length > MOST_FRAMES ||
      (this.#characters > MOST_CHARACTERS && this.#frames.length > 1)
    )
      this.#characters -= this.#frames.shift()?.length ?? 0;
  }
}

/** The text of a turn so far. */
interface TextSoFar {
  readonly text: string;
  /** Length of the part that is settled; the rest is a preview. */
  readonly settled: number;
}

const NO_TEXT: TextSoFar = { text: '', settled: 0 };
const BETWEEN = '\n\n';

/** The texts of the turns that run. */
export class RunningTexts {
  readonly #texts = new Map<TurnId, TextSoFar>();

  /** Notes what a turn reports. Returns the offset from which its text is another one; undefined if it is the same. */
  note({ turnId, event }: Pick<TurnProgress, 'turnId' | 'event'>): number | undefined {
    const before = this.#texts.get(turnId) ?? NO_TEXT;
    const after = continueText(before, event);
    if (after === before) return undefined;
    this.#texts.set(turnId, after);
    // Most events by far only add to it, and it may be long.
    const at = event.type === 'text-delta' ? before.text.length : firstDifference(before, after);
    return at === after.text.length && at === before.text.length ? undefined : at;
  }

  textOf(turnId: TurnId): string | undefined {
    return this.#texts.get(turnId)?.text;
  }

  /** The turn is over: its text is in the log. */
  end(turnId: TurnId): void {
    this.#texts.delete(turnId);
  }

  all(): RunningText[] {
    return [...this.#texts].map(([turnId, { text }]) => ({ turnId, text }));
  }
}

/** The text after one more event. Pure. */
function continueText(before: TextSoFar, event: TurnProgress['event']): TextSoFar {
  switch (event.type) {
    case 'text-delta': {
      const isBlockBegun = before.text.length > before.settled;
      return { ...before, text: isBlockBegun ? before.text + event.text : append(before, event.text) };
    }
    case 'text-reset':
      return { ...before, text: append(before, '') };
    case 'text': {
      const text = append(before, event.text);
      return { text, settled: text.length };
    }
    default:
      return before;
  }
}

/** The settled part with a block after it. */
function append({ text, settled }: TextSoFar, block: string): string {
  const before = text.slice(0, settled);
  return before === '' || block === '' ? before + block : before + BETWEEN + block;
}

/** The first character that differs; the settled part stays as it is. */
function firstDifference(before: TextSoFar, after: TextSoFar): number {
  const most = Math.min(before.text.length, after.text.length);
  let at = Math.min(before.settled, most);
  while (at < most && before.text.charCodeAt(at) === after.text.charCodeAt(at)) at++;
  return at;
}

/** A recorded event as it stands in the stream. */
export function frameOfEvent(event: RecordedEvent): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** A frame that is no recorded event: it has no number, so that it is nothing to resume after. */
export function frameOf<Name extends keyof Frames>(name: Name, data: Frames[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
