import type { ProgressEvent } from '../models/AgentEvent.js';
import { EVENT_VERSION, type TurnProgress } from '../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../models/ids.js';

/** At most ten pieces a second: words at this distance, a whole block at once. */
const MILLISECONDS_BETWEEN_PIECES = 100;
const PIECES_A_SECOND = 10;
/** A notification has less than 8,000 bytes; a longer piece goes in parts. */
const PART_CHARACTERS = 7500;
/** A longer piece is not sent: the message comes soon. */
const MOST_PARTS = 40;
const MARK = 'live ';

/** The progress of agents that others see: words, not the details of tools. */
type LiveEvent = Extract<ProgressEvent, { readonly text: string } | { readonly type: 'text-reset' }>;

interface LiveStep {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly event: LiveEvent;
}

/** Sends to followers what agents are just saying, in pieces. */
export class LiveTextSender {
  readonly #tell: (payload: string) => void;
  #steps: LiveStep[] = [];
  #timer: NodeJS.Timeout | null = null;
  #pieces = 0;
  /** Times of the latest pieces, newest first. */
  #sentAt: readonly number[] = [];

  constructor(tell: (payload: string) => void) {
    this.#tell = tell;
  }

  add({ turnId, memberId, event }: TurnProgress): void {
    if (!isLive(event)) return;
    this.#steps = addStep(this.#steps, { turnId, memberId, event });
    if (this.#timer === null || (event.type === 'text' && this.#maySend())) this.#send();
  }

  close(): void {
    this.#stopTimer();
    this.#steps = [];
  }

  #maySend(): boolean {
    return performance.now() - (this.#sentAt[PIECES_A_SECOND - 1] ?? Number.NEGATIVE_INFINITY) >= 1000;
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Sends what there is, and the next piece after a pause. */
  #send(): void {
    this.#stopTimer();
    if (this.#steps.length === 0) return;
    this.#timer = setTimeout(() => this.#send(), MILLISECONDS_BETWEEN_PIECES).unref();
    if (!this.#maySend()) return;
    this.#sentAt = [performance.now(), ...this.#sentAt].slice(0, PIECES_A_SECOND);
    const piece = splitEvenly(JSON.stringify(this.#steps));
    this.#steps = [];
    this.#pieces++;
    if (piece.length <= MOST_PARTS)
      for (const [index, part] of piece.entries())
        this.#tell(`${MARK}${this.#pieces} ${index + 1} ${piece.length} ${part}`);
  }
}

/** Puts pieces together again. Anyone of the store can send some, so what is not one is ignored. */
export class LiveTextReader {
  #piece = '';
  #parts: string[] = [];

  /** The progress that a payload completes; undefined: it is no part of a piece. */
  read(payload: string, at: number): readonly TurnProgress[] | undefined {
    if (!payload.startsWith(MARK)) return undefined;
    const [, number = '', index = '', count = '', part = ''] = PART.exec(payload) ?? [];
    if (number !== this.#piece) this.#parts = [];
    this.#piece = number;
    if (Number(index) !== this.#parts.length + 1) return [];
    this.#parts.push(part);
    if (this.#parts.length !== Number(count)) return [];
    const steps = parseSteps(this.#parts.join(''));
    this.#parts = [];
    return steps.map((step) => ({ type: 'turn-progress', v: EVENT_VERSION, at, ...step }));
  }
}

const PART = /^live (\d{1,15}) (\d{1,4}) (\d{1,4}) (.*)$/su;

function isLive(event: ProgressEvent): event is LiveEvent {
  return (
    event.type === 'text-delta' ||
    event.type === 'text' ||
    event.type === 'text-reset' ||
    event.type === 'thinking'
  );
}

/** Words that continue the step before become part of it. */
function addStep(steps: readonly LiveStep[], step: LiveStep): LiveStep[] {
  const last = steps.at(-1);
  const { event } = step;
  const continues =
    last?.turnId === step.turnId && last.event.type === 'text-delta' && event.type === 'text-delta';
  if (!continues || last.event.type !== 'text-delta' || event.type !== 'text-delta') return [...steps, step];
  const text = last.event.text + event.text;
  return [...steps.slice(0, -1), { ...step, event: { type: 'text-delta', text } }];
}

/** JSON in parts; letters beyond ASCII are written as escapes, so that characters are bytes and none is cut. */
function splitEvenly(json: string): string[] {
  const ascii = json.replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const parts: string[] = [];
  for (let start = 0; start < ascii.length; start += PART_CHARACTERS)
    parts.push(ascii.slice(start, start + PART_CHARACTERS));
  return parts;
}

function parseSteps(json: string): LiveStep[] {
  try {
    const steps: unknown = JSON.parse(json);
    return Array.isArray(steps) ? steps.flatMap(readStep) : [];
  } catch {
    // A forged or broken piece shows nothing.
    return [];
  }
}

function readStep(value: unknown): LiveStep[] {
  const { turnId, memberId, event } = Object(value) as Partial<Record<string, unknown>>;
  const { type, text } = Object(event) as Partial<Record<string, unknown>>;
  if (typeof turnId !== 'string' || typeof memberId !== 'string') return [];
  const place = { turnId: turnId as TurnId, memberId: memberId as MemberId };
  if (type === 'text-reset') return [{ ...place, event: { type } }];
  if ((type === 'text-delta' || type === 'text' || type === 'thinking') && typeof text === 'string')
    return [{ ...place, event: { type, text } }];
  return [];
}
