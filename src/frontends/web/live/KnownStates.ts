import { applyFact, type ConversationState, INITIAL_STATE } from '../../../conversation/ConversationState.js';
import { decodeStatus } from '../../../conversation/ConversationStatus.js';
import type { LogTail } from './LogTail.js';

/** The state of a conversation after some event. */
export interface KnownState {
  readonly seq: number;
  readonly state: ConversationState;
  readonly task: string | null;
}

/** States that took longer to find out than this many events are remembered. */
const WORTH_REMEMBERING = 1000;
const MOST_REMEMBERED = 20;

const UNKNOWN: KnownState = { seq: 0, state: INITIAL_STATE, task: null };

/**
 * Finds out how conversations stand, from the checkpoints of their logs. A log that was imported has none: how it stood is
 * remembered, so that all of it is read once.
 */
export class KnownStates {
  readonly #remembered = new Map<string, KnownState>();

  /** The state of a conversation after the last event of a tail; `since` tells apart two logs of the same id. */
  async read(tail: LogTail, since: number): Promise<KnownState> {
    const key = `${tail.reader.id} ${since}`;
    const known = await this.#findKnown(tail, key);
    let { state, task } = known;
    for await (const events of tail.after(known.seq)) {
      for (const event of events) {
        state = applyFact(state, event);
        if (event.type === 'task-changed') task = event.task;
      }
    }
    const found = { seq: tail.last, state, task };
    if (found.seq - known.seq > WORTH_REMEMBERING) this.#remember(key, found);
    return found;
  }

  /** The latest that is known without reading events. */
  async #findKnown({ reader, last }: LogTail, key: string): Promise<KnownState> {
    const checkpoint = await reader.readCheckpoint();
    const status = checkpoint && decodeStatus(checkpoint.value);
    const saved =
      checkpoint && status ? { seq: checkpoint.seq, state: status.state, task: status.teamTask } : UNKNOWN;
    const remembered = this.#remembered.get(key) ?? UNKNOWN;
    const latest = [saved, remembered].filter(({ seq }) => seq <= last);
    return latest.sort((one, other) => other.seq - one.seq)[0] ?? UNKNOWN;
  }

  #remember(key: string, found: KnownState): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, found);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }
}
