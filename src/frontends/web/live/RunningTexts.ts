import type { TurnProgress } from '../../../models/ConversationEvent.js';
import type { TurnId } from '../../../models/ids.js';
import type { RunningText } from '../wire.js';

/** The text of a turn so far. */
export interface TextSoFar {
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
export function continueText(before: TextSoFar, event: TurnProgress['event']): TextSoFar {
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
