import { truncateToWidth } from '@earendil-works/pi-tui';
import { words } from '../../../catalogue/words.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import type { Status } from '../screen/status.js';

/** A message that is saved sooner is seen in the transcript right away. */
const SLOW_MILLISECONDS = 1000;
/** Leaves room on 80 columns for the reason. */
const COLUMNS = 30;

/** Keeps messages in view that are neither in the editor any more nor in the transcript yet. */
export class SlowSends {
  readonly #refresh: () => void;
  readonly #texts = new Set<{ readonly text: string }>();

  constructor(refresh: () => void) {
    this.#refresh = refresh;
  }

  /** Waits for a message to be saved. */
  async follow(text: string, sent: Promise<unknown>): Promise<void> {
    const slow = { text };
    const timer = setTimeout(() => {
      this.#texts.add(slow);
      this.#refresh();
    }, SLOW_MILLISECONDS).unref();
    try {
      await sent;
    } finally {
      clearTimeout(timer);
      if (this.#texts.delete(slow)) this.#refresh();
    }
  }

  /** The status with the first of them in place of what happens now. */
  show({ silence, ...status }: Status): Status {
    const [slow] = this.#texts;
    if (slow === undefined) return silence === undefined ? status : { ...status, silence };
    const text = truncateToWidth(sanitizeToOneLine(slow.text), COLUMNS, '…');
    return { ...status, now: words.company.sending(text), tone: 'warning' };
  }
}
