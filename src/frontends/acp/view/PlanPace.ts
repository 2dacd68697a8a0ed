import { isDeepStrictEqual } from 'node:util';
import type { PlanEntry } from '@agentclientprotocol/sdk/unstable';

/** Clients print every plan. */
const BETWEEN_PLANS_MILLISECONDS = 200;

/** Sends a plan when it has changed, and not too often. */
export class PlanPace {
  readonly #read: () => PlanEntry[];
  readonly #send: (entries: PlanEntry[]) => void;
  #sent: PlanEntry[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(read: () => PlanEntry[], send: (entries: PlanEntry[]) => void) {
    this.#read = read;
    this.#send = send;
  }

  /** A plan that is done stays with its client; what was left open in one is taken away. */
  begin(): void {
    if (this.#sent.every(({ status }) => status === 'completed')) this.#sent = [];
    this.note();
  }

  /** The plan may have changed. */
  note(): void {
    if (this.#timer !== undefined) return;
    const wait = this.#lastAt + BETWEEN_PLANS_MILLISECONDS - performance.now();
    if (wait <= 0) this.flush();
    else this.#timer = setTimeout(() => this.flush(), wait);
  }

  /** Sends it now, if it has changed. */
  flush(): void {
    this.stop();
    const entries = this.#read();
    if (isDeepStrictEqual(entries, this.#sent)) return;
    this.#sent = entries;
    this.#lastAt = performance.now();
    this.#send(entries);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
