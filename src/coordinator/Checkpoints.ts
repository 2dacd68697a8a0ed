import type { ConversationLog } from '../store/Store.js';
import type { Logger } from '../utils/logger.js';
import { encodeStanding, type Standing } from './standing.js';

/** Few enough to be read at once, enough to make saving cheap. */
const EVENTS_APART = 256;

/** Saves now and then how a conversation stands, so that opening it again need not read its whole log. */
export class Checkpoints {
  readonly #log: ConversationLog;
  readonly #logger: Logger;
  #savedSeq: number;

  constructor(log: ConversationLog, logger: Logger) {
    this.#log = log;
    this.#logger = logger;
    this.#savedSeq = log.readCheckpoint()?.seq ?? 0;
  }

  /** After events were written. */
  consider(standing: () => Standing): void {
    if (this.#log.lastSeq - this.#savedSeq >= EVENTS_APART) this.save(standing());
  }

  /** A checkpoint is a cache: that it could not be saved costs time at the next start, and nothing else. */
  save(standing: Standing): void {
    const seq = this.#log.lastSeq;
    if (seq === this.#savedSeq) return;
    try {
      this.#log.saveCheckpoint({ seq, value: encodeStanding(standing) });
      this.#savedSeq = seq;
    } catch (error) {
      this.#logger.warn?.(`The checkpoint at event ${seq} could not be saved: ${String(error)}`);
    }
  }
}
