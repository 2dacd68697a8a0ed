import { z } from 'zod';
import { shortenAnswer } from '../coordinator/runTurn.js';
import type { AgentEvent, EndEvent } from '../models/AgentEvent.js';
import { ACTIVITIES, PROGRESS, UNFINISHED } from '../models/schema/agentEvents.js';
import { FACTS } from '../models/schema/events.js';
import { oneOf, record, text, variantsOf } from '../models/schema/fields.js';
import { untilReached } from '../store/postgres/databaseFailures.js';
import { hashAnswer } from '../store/postgres/proofs.js';
import type { Listener } from '../store/postgres/SharedStore.js';
import { utf8Length } from '../utils/bytes.js';
import { MOST_BYTES } from './requests.js';
import type { AskedTurn, TurnState, TurnTable } from './TurnTable.js';

/** So long reports gather; text that somebody watches, and text that nobody does. */
const PACE = { facts: 50, watched: 100, unwatched: 1000 };
/** The store takes 64 MB of a turn; what is only for watching ends earlier, so that the end always has room. */
const MOST_OF_TURN = 60 * 1024 ** 2;
const MOST_TO_WATCH = 32 * 1024 ** 2;
/** So long a report is sent again to a store that is out of reach. */
const PATIENCE_MILLISECONDS = 60_000;

export interface ReporterParts {
  readonly table: TurnTable;
  readonly listener: Listener;
  readonly turn: AskedTurn & { readonly isWatched: boolean };
  /** The turn runs no more as far as the store knows, or is too large for it: its agent is to be stopped. */
  readonly onStop: (reason: 'withdrawn' | 'too-large') => void;
}

/** Reports what an agent does in a turn, in batches and in order. */
export class Reporter {
  readonly #parts: ReporterParts;
  #waiting: AgentEvent[] = [];
  #timer: NodeJS.Timeout | null = null;
  #due = Number.POSITIVE_INFINITY;
  #sending: Promise<void> = Promise.resolve();
  #reported = 0;
  #bytes = 0;
  #isStopped = false;
  /** The end as it is reported. */
  #end = '';

  constructor(parts: ReporterParts) {
    this.#parts = parts;
  }

  /** The state in which the turn ended as far as the store knows. */
  state: TurnState = 'running';

  add(event: AgentEvent): void {
    if (this.#isStopped || event.type === 'raw' || event.type === 'waiting') return;
    if (isToWatch(event) && !this.#isShown(event)) return;
    const last = this.#waiting.at(-1);
    if ((event.type === 'text-delta' || event.type === 'thinking') && last?.type === event.type)
      this.#waiting.splice(-1, 1, { ...last, text: last.text + event.text });
    else this.#waiting.push(event);
    const { isWatched } = this.#parts.turn;
    this.#flushIn(isPreview(event) ? (isWatched ? PACE.watched : PACE.unwatched) : PACE.facts);
  }

  /** Reports the end, and waits until it is known that it was taken, or is not wanted. */
  async end(event: EndEvent): Promise<void> {
    this.#end = await writeEnd(event);
    this.#waiting.push(event);
    this.#isStopped = true;
    await this.#flush();
  }

  #isShown(event: AgentEvent): boolean {
    const isPlain = event.type === 'text-delta';
    return this.#bytes < MOST_TO_WATCH && (isPlain || this.#parts.turn.isWatched);
  }

  #flushIn(milliseconds: number): void {
    const due = performance.now() + milliseconds;
    if (due >= this.#due) return;
    this.#due = due;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#flush(), milliseconds);
  }

  #flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#due = Number.POSITIVE_INFINITY;
    this.#sending = this.#sending.then(() => this.#sendAll());
    return this.#sending;
  }

  /** Never rejects: what cannot be reported stops the turn. */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && this.state === 'running') {
      const { bodies, count, bytes } = chooseBatch(this.#waiting, this.#end);
      const isEnd = this.#waiting[count - 1]?.type === 'end';
      const batch = { first: this.#reported + 1, bodies, isEnd };
      this.state = await this.#send(batch);
      if (this.state !== 'running' && this.state !== 'ended') return this.#stop('withdrawn');
      this.#waiting.splice(0, count);
      this.#reported += count;
      this.#bytes += bytes;
      this.#parts.listener.notify(this.#parts.turn.channel, '');
      if (this.#bytes > MOST_OF_TURN && !this.#isStopped) this.#stop('too-large');
    }
  }

  #stop(reason: 'withdrawn' | 'too-large'): void {
    this.#isStopped = true;
    this.#waiting = this.#waiting.filter(({ type }) => type === 'end');
    this.#parts.onStop(reason);
  }

  async #send(batch: Parameters<TurnTable['report']>[1]): Promise<TurnState> {
    const { table, turn } = this.#parts;
    try {
      return await untilReached(() => table.report(turn.number, batch), { patience: PATIENCE_MILLISECONDS });
    } catch {
      // The row of this process is gone, another has the turn, or it is too large: nobody takes reports from here.
      return 'gone';
    }
  }
}

/** A preview: the whole comes again with its block or its end. */
function isPreview(event: AgentEvent): boolean {
  return event.type === 'text-delta' || isToWatch(event);
}

/** Only for somebody who watches: no fact and no draft is made of it. */
function isToWatch({ type }: AgentEvent): boolean {
  return type === 'thinking' || type === 'tool-detail';
}

interface Batch {
  readonly bodies: readonly string[];
  readonly count: number;
  readonly bytes: number;
}

/** The first events that fit into one report. An event that fits into none is told of by an error. */
function chooseBatch(waiting: readonly AgentEvent[], end: string): Batch {
  const bodies: string[] = [];
  let bytes = 0;
  for (const event of waiting) {
    const whole = event.type === 'end' ? end : writeReport(event);
    const body = utf8Length(whole) <= MOST_BYTES ? whole : writeReport(tooLong(event));
    const size = utf8Length(body);
    if (bodies.length > 0 && bytes + size > MOST_BYTES) break;
    bodies.push(body);
    bytes += size;
  }
  return { bodies, count: bodies.length, bytes };
}

function tooLong({ type }: AgentEvent): AgentEvent {
  const message = `A record (${type}) is too long to be reported.`;
  if (type !== 'end') return { type: 'error', message };
  const failure = { code: 'SPAWN', reason: 'adapter-broke', detail: message } as const;
  return { type: 'end', outcome: { kind: 'failed', failure, draft: '' } };
}

const { raw: _raw, waiting: _waiting, ...REPORTED_PROGRESS } = PROGRESS;
const { turnId: _turn, memberId: _member, ...DECIDED } = FACTS['permission-decided'];

const outcome = z.union([
  record({ kind: z.literal('completed'), text, exitCode: z.number().optional() }),
  oneOf('kind', UNFINISHED),
]);

const reportSchema = z.union([
  z.discriminatedUnion(
    'type',
    variantsOf('type', { ...ACTIVITIES, ...REPORTED_PROGRESS }) as unknown as [z.ZodObject],
  ),
  z.object({ type: z.literal('permission-decided'), ...DECIDED }),
  z.object({ type: z.literal('end'), outcome }),
]);

/** An event of a turn, as a worker reports it. */
export function writeReport(event: AgentEvent): string {
  return JSON.stringify(event);
}

/** The same for its end, with the hash of what becomes of an answer in a shared store: the store notes it from the first place. */
export async function writeEnd({ type, outcome }: EndEvent): Promise<string> {
  if (outcome.kind !== 'completed') return writeReport({ type, outcome });
  const kept = await shortenAnswer(outcome, () => undefined);
  return JSON.stringify({ said: hashAnswer('text' in kept ? kept.text : ''), type, outcome });
}

/** Null for what is no event of an agent: another machine wrote it, and it becomes part of a log here. */
export function readReport(body: string): AgentEvent | null {
  try {
    const parsed = reportSchema.safeParse(JSON.parse(body));
    // The schema is made of the same shapes as the type.
    return parsed.success ? (parsed.data as AgentEvent) : null;
  } catch {
    return null;
  }
}
