import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { RecordedEvent } from '../../../../models/ConversationEvent.js';
import type { TurnId } from '../../../../models/ids.js';
import type { Limits } from '../../../../models/Team.js';
import { type Telling, withoutCutOff } from '../../../../presentation/Telling.js';
import { tell } from '../../../../presentation/tell.js';
import { isReadOnly, isRow } from '../../folds.js';
import type {
  FirstScreen,
  Frames,
  ListedConversation,
  OlderBlocks,
  PlacedTelling,
  RunningText,
} from '../../wire.js';

/** Reads the blocks before a number: as many as the limit says, else a page. */
export type ReadOlder = (before: number, limit?: number) => Promise<OlderBlocks>;

/** The conversation on the screen: folded on from the first screen, event by event, with the functions of the server. */
export class OpenConversation {
  readonly id: string;
  readonly limits: Partial<Limits>;
  /** The number of the event the log shall bring into view; set by find. */
  readonly target: Signal<number | undefined> = signal(undefined);
  readonly summary: ReadonlySignal<ListedConversation>;
  /** Telling without turns whose holder is gone: the log does not say so before someone continues. */
  readonly telling: ReadonlySignal<Telling>;
  /** Oldest first, without the steps of turns. */
  readonly rows: ReadonlySignal<readonly PlacedTelling[]>;
  readonly hasOlder: ReadonlySignal<boolean>;
  /** Whether it cannot be continued from this page now. */
  readonly isReadOnly: ReadonlySignal<boolean>;
  readonly #summary: Signal<ListedConversation>;
  /** Telling of the log alone. */
  readonly #telling: Signal<Telling>;
  readonly #rows: Signal<readonly PlacedTelling[]>;
  readonly #hasOlder: Signal<boolean>;
  readonly #texts = new Map<TurnId, Signal<string>>();
  readonly #readOlder: ReadOlder;
  #from: number | undefined;
  #seq: number;
  #loading: Promise<void> | undefined;

  constructor(first: FirstScreen, readOlder: ReadOlder) {
    this.id = first.summary.id;
    this.limits = first.limits;
    this.summary = this.#summary = signal(first.summary);
    this.#telling = signal(first.telling);
    this.rows = this.#rows = signal(first.blocks.filter(isRow));
    this.hasOlder = this.#hasOlder = signal(first.from !== undefined);
    this.isReadOnly = computed(() => isReadOnly(this.#summary.value));
    this.telling = computed(() =>
      withoutCutOff(this.#telling.value, cutOffIn(this.#summary.value, this.#telling.value)),
    );
    this.#readOlder = readOlder;
    this.#from = first.from;
    this.#seq = first.seq;
    this.#setTexts(first.running);
  }

  /** The number of the last event that was told. */
  get seq(): number {
    return this.#seq;
  }

  /** The whole text so far of a running turn. */
  textOf(turnId: TurnId): ReadonlySignal<string> {
    return this.#text(turnId);
  }

  /** Puts older rows before those that are there. A second call while one runs waits for the same. */
  loadOlder(limit?: number): Promise<void> {
    this.#loading ??= this.#loadPage(limit).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Tells what was recorded; what was told already is passed over. */
  tell(events: readonly RecordedEvent[]): void {
    const rows: PlacedTelling[] = [];
    let telling = this.#telling.value;
    for (const event of events) {
      if (event.seq <= this.#seq) continue;
      this.#seq = event.seq;
      const step = tell(telling, event);
      telling = step.telling;
      rows.push(...step.blocks.map((block) => ({ seq: event.seq, block })).filter(isRow));
      if (event.type === 'turn-end') this.#texts.delete(event.turnId);
    }
    this.#telling.value = telling;
    if (rows.length > 0) this.#rows.value = [...this.#rows.value, ...rows];
  }

  /** Takes over the texts of the turns that run now. */
  setRunning({ running }: Pick<Frames['live'], 'running'>): void {
    this.#setTexts(running);
  }

  /** The text of a running turn is another one from an offset on. */
  progress({ turnId, at, text }: Frames['progress']): void {
    const known = this.#text(turnId);
    known.value = known.value.slice(0, at) + text;
  }

  /** The first look at the folder has seen more, or is over. */
  lookAtFiles({ files, isDone }: Frames['files-progress']): void {
    this.#telling.value = { ...this.#telling.value, filesSeen: isDone ? null : files };
  }

  /** Takes over a summary that changed. */
  setSummary(summary: ListedConversation): void {
    this.#summary.value = summary;
  }

  async #loadPage(limit?: number): Promise<void> {
    if (this.#from === undefined) return;
    const { blocks, from } = await this.#readOlder(this.#from, limit);
    this.#from = from;
    this.#rows.value = [...blocks.filter(isRow), ...this.#rows.value];
    this.#hasOlder.value = from !== undefined;
  }

  #setTexts(running: readonly RunningText[]): void {
    for (const { turnId, text } of running) this.#text(turnId).value = text;
  }

  #text(turnId: TurnId): Signal<string> {
    const known = this.#texts.get(turnId) ?? signal('');
    this.#texts.set(turnId, known);
    return known;
  }
}

/** The turns that ended with the process that had the conversation open. Those of workers continue. */
function cutOffIn(
  { state, running }: ListedConversation,
  { conversation }: Telling,
): readonly { readonly turnId: TurnId }[] {
  if (state === 'open') return [];
  // What began since the summary was made is not in it.
  return conversation.running.filter(
    ({ turnId, runsOn }) => runsOn === undefined && running.includes(turnId),
  );
}
