import { type ConversationStatus, encodeStatus } from '../conversation/ConversationStatus.js';
import type { ConversationLog } from '../store/Store.js';
import type { Logger } from '../utils/logger.js';

/** Least distance of checkpoints: few enough events to be read at once, enough to make saving cheap. */
const EVENTS_APART = 256;
/** Answers that a checkpoint may hold for each event since the one before, so that saving costs the same at any length. */
const ANSWERS_PER_EVENT = 4;

/** Saves now and then how a conversation stands, so that opening it again need not read its whole log. */
export class Checkpoints {
  readonly #log: ConversationLog;
  readonly #logger: Logger;
  #savedSeq: number;

  /** `savedSeq`: of the checkpoint there is; 0 without one. */
  constructor(log: ConversationLog, logger: Logger, savedSeq: number) {
    this.#log = log;
    this.#logger = logger;
    this.#savedSeq = savedSeq;
  }

  /** After events up to `seq` became durable, from which `status` follows. */
  async consider(seq: number, status: ConversationStatus): Promise<void> {
    const { different } = status.state.counters.answers;
    const distance = Math.max(EVENTS_APART, different / ANSWERS_PER_EVENT);
    if (seq - this.#savedSeq >= distance) await this.save(seq, status);
  }

  /** Never rejects. A checkpoint is a cache: that it was not saved costs time at the next start, and nothing else. */
  async save(seq: number, status: ConversationStatus): Promise<void> {
    if (seq === this.#savedSeq) return;
    this.#savedSeq = seq;
    try {
      await this.#log.saveCheckpoint({ seq, value: encodeStatus(status) });
    } catch (error) {
      this.#logger.warn?.(`The checkpoint at event ${seq} could not be saved: ${String(error)}`);
    }
  }
}
