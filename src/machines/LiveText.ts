import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { TurnText } from '../conversation/TurnText.js';
import type { ProgressEvent } from '../models/AgentEvent.js';
import { EVENT_VERSION, type TurnProgress } from '../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../models/ids.js';
import { memberId, text, turnId } from '../models/schema/fields.js';

/** At most ten pieces a second: words at this distance, a whole block at once. */
const MILLISECONDS_BETWEEN_PIECES = 100;
const PIECES_A_SECOND = 10;
const MILLISECONDS_BETWEEN_WHOLES = 1000;
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

/** Text of others, which was of anyone of the store: a turn is looked up by its id, and its text is shown as text. */
const sentStep = z.object({
  turnId,
  memberId,
  /** Its place in its turn, so that whoever missed one knows. */
  number: z.number().int().nonnegative(),
  event: z.discriminatedUnion('type', [
    z.object({ type: z.literal('text-reset') }),
    z.object({ type: z.enum(['text-delta', 'text', 'thinking']), text }),
    // The whole text of a turn up to a step, for whoever missed some of it.
    z.object({ type: z.literal('whole'), blocks: z.array(text), draft: text }),
  ]),
});

type SentStep = z.infer<typeof sentStep>;
type WholeText = Extract<SentStep['event'], { readonly type: 'whole' }>;

/** Steps of one sender: another one counts anew. */
export interface LivePiece {
  readonly sender: string;
  readonly steps: readonly SentStep[];
}

/** The text of a turn, as far as it was sent. */
interface SentTurn {
  readonly memberId: MemberId;
  readonly text: TurnText;
  /** Number of its next step. */
  next: number;
}

/** Sends to followers what agents are just saying, in pieces; to one who missed some of it, from its start. */
export class LiveTextSender {
  readonly #tell: (payload: string) => void;
  readonly #hasCompany: () => boolean;
  readonly #sender = randomUUID();
  readonly #turns = new Map<TurnId, SentTurn>();
  #steps: LiveStep[] = [];
  #timer: NodeJS.Timeout | null = null;
  #whole: NodeJS.Timeout | null = null;
  #wholeAt = Number.NEGATIVE_INFINITY;
  #pieces = 0;
  /** Times of the latest pieces, newest first. */
  #sentAt: readonly number[] = [];

  /** @param hasCompany Whether anybody else is here: for nobody nothing is sent. */
  constructor(tell: (payload: string) => void, hasCompany: () => boolean) {
    this.#tell = tell;
    this.#hasCompany = hasCompany;
  }

  add({ turnId, memberId, event }: TurnProgress): void {
    if (!isLive(event)) return;
    this.#steps = addStep(this.#steps, { turnId, memberId, event });
    if (this.#timer === null || (event.type === 'text' && this.#maySend())) this.#send();
  }

  /** Its message comes now. */
  end(turnId: TurnId): void {
    this.#turns.delete(turnId);
  }

  /** Sends the texts of all turns from their start, once a second at most. */
  sendWhole(): void {
    if (this.#whole !== null) return;
    const wait = Math.max(0, this.#wholeAt + MILLISECONDS_BETWEEN_WHOLES - performance.now());
    this.#whole = setTimeout(() => {
      this.#whole = null;
      this.#wholeAt = performance.now();
      const steps = [...this.#turns].map(
        ([
          turnId,
          {
            memberId,
            next,
            text: { blocks, begun },
          },
        ]): SentStep => ({
          turnId,
          memberId,
          number: next,
          event: { type: 'whole', blocks, draft: begun },
        }),
      );
      if (steps.length > 0) this.#tellPiece(steps);
    }, wait).unref();
  }

  close(): void {
    this.#stopTimer();
    if (this.#whole !== null) clearTimeout(this.#whole);
    this.#steps = [];
    this.#turns.clear();
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
    const steps = this.#steps.map((step) => this.#number(step));
    this.#steps = [];
    if (this.#hasCompany()) this.#tellPiece(steps);
  }

  /** Gives a step its number, and adds it to what was sent. */
  #number({ turnId, memberId, event }: LiveStep): SentStep {
    const turn = this.#turns.get(turnId) ?? { memberId, text: new TurnText(), next: 0 };
    this.#turns.set(turnId, turn);
    turn.text.add(event);
    return { turnId, memberId, number: turn.next++, event };
  }

  #tellPiece(steps: readonly SentStep[]): void {
    const piece = splitEvenly(JSON.stringify({ sender: this.#sender, steps } satisfies LivePiece));
    this.#pieces++;
    if (piece.length > MOST_PARTS) return;
    for (const [index, part] of piece.entries())
      this.#tell(`${MARK}${this.#pieces} ${index + 1} ${piece.length} ${part}`);
  }
}

/** The payload with which a follower asks for the texts from their start. */
export const ASK_FOR_WHOLE = 'whole';

/** Place in a turn up to which a follower has shown it. */
interface ShownTurn {
  /** Number of the step that comes next; null: some were missed. */
  readonly next: number | null;
  /** Number of blocks. */
  readonly blocks: number;
}

/** Puts pieces together again. Anyone of the store can send some, so what is not one is ignored. */
export class LiveTextReader {
  readonly #askForWhole: () => void;
  readonly #shown = new Map<TurnId, ShownTurn>();
  #sender = '';
  #askedAt = Number.NEGATIVE_INFINITY;
  #piece = '';
  #parts: string[] = [];

  /** @param askForWhole Called when some of a text was missed, once a second at most. */
  constructor(askForWhole: () => void) {
    this.#askForWhole = askForWhole;
  }

  /** The piece that a payload completes, which may have no steps; undefined: it is no part of one. */
  read(payload: string): LivePiece | undefined {
    if (!payload.startsWith(MARK)) return undefined;
    const [, number = '', index = '', count = '', part = ''] = PART.exec(payload) ?? [];
    if (number !== this.#piece) this.#parts = [];
    this.#piece = number;
    if (Number(index) !== this.#parts.length + 1) return NO_PIECE;
    this.#parts.push(part);
    if (this.#parts.length !== Number(count)) return NO_PIECE;
    const piece = parsePiece(this.#parts.join(''));
    this.#parts = [];
    return piece;
  }

  /** The progress that a piece brings: of turns that run, each word once, from the first on. */
  show({ sender, steps }: LivePiece, at: number, isRunning: (turnId: TurnId) => boolean): TurnProgress[] {
    if (steps.length === 0) return [];
    if (sender !== this.#sender) this.#forgetSteps();
    this.#sender = sender;
    return steps
      .filter(({ turnId }) => isRunning(turnId))
      .flatMap((step) => {
        const { turnId, memberId } = step;
        const place = { type: 'turn-progress', v: EVENT_VERSION, at, turnId, memberId } as const;
        return this.#take(step).map((event) => ({ ...place, event }));
      });
  }

  end(turnId: TurnId): void {
    this.#shown.delete(turnId);
  }

  #forgetSteps(): void {
    for (const [turnId, { blocks }] of this.#shown) this.#shown.set(turnId, { next: null, blocks });
  }

  #take({ turnId, number, event }: SentStep): readonly LiveEvent[] {
    const { next, blocks } = this.#shown.get(turnId) ?? { next: 0, blocks: 0 };
    if (event.type === 'whole') {
      if (next !== null && number <= next) return [];
      this.#shown.set(turnId, { next: number, blocks: event.blocks.length });
      return missedOf(event, blocks);
    }
    if (number === next) {
      this.#shown.set(turnId, { next: number + 1, blocks: blocks + (event.type === 'text' ? 1 : 0) });
      return [event];
    }
    if (next === null || number > next) {
      this.#shown.set(turnId, { next: null, blocks });
      this.#ask();
    }
    return [];
  }

  #ask(): void {
    if (performance.now() - this.#askedAt < MILLISECONDS_BETWEEN_WHOLES) return;
    this.#askedAt = performance.now();
    this.#askForWhole();
  }
}

/** Progress from the blocks that were shown to the whole text; what was shown of the next block goes. */
function missedOf({ blocks, draft }: WholeText, shown: number): readonly LiveEvent[] {
  const missed = blocks.slice(shown).map((text): LiveEvent => ({ type: 'text', text }));
  const begun: readonly LiveEvent[] = draft === '' ? [] : [{ type: 'text-delta', text: draft }];
  return [...(missed.length > 0 ? missed : [{ type: 'text-reset' } as const]), ...begun];
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

const NO_PIECE: LivePiece = { sender: '', steps: [] };

/** A forged or broken piece shows nothing. */
function parsePiece(json: string): LivePiece {
  try {
    const { sender, steps } = z.object({ sender: text, steps: z.array(z.unknown()) }).parse(JSON.parse(json));
    return { sender, steps: steps.flatMap((step) => sentStep.safeParse(step).data ?? []) };
  } catch {
    return NO_PIECE;
  }
}
