import type { Catalogue } from '../../../catalogue/words.js';
import type { Phase } from '../../../conversation/questions.js';
import { isOpen } from '../../../presentation/LiveTurn.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import { cutToWidth } from '../../lines/formatTable.js';
import type { Screen } from '../screen/Screen.js';
import type { TerminalView } from './TerminalView.js';

/** A person who asked for something that took longer looks elsewhere by now. */
const AWAY_MILLISECONDS = 10_000;
const LONGEST_TEXT = 70;

/** Keeps people informed who look elsewhere: the title says what the team does, and a call comes when they are needed. */
export class Attention {
  readonly #view: Pick<TerminalView, 'setTitle' | 'notify'>;
  readonly #place: string;
  readonly #words: Catalogue['terminal'];
  #questionCount = 0;
  #isWorking = false;
  #askedAt = 0;

  constructor(view: Pick<TerminalView, 'setTitle' | 'notify'>, place: string, words: Catalogue) {
    this.#view = view;
    this.#words = words.terminal;
    this.#place = place;
  }

  /** The screen has changed. */
  follow(screen: Screen): void {
    const names = screen.turns.filter(({ permissions }) => permissions.some(isOpen)).map(nameOf);
    this.#showTitle(screen, names);
    if (screen.questionCount > this.#questionCount)
      this.#call(this.#words.calls.approval(names.join(', '), this.#place));
    this.#questionCount = screen.questionCount;
  }

  /** A person has asked for something. */
  begin(screen: Screen): void {
    this.#askedAt = performance.now();
    this.#isWorking = true;
    this.follow(screen);
  }

  /** Nothing runs any more. */
  end(phase: Phase, screen: Screen): void {
    const { yourTurn, limit } = this.#words.calls;
    const milliseconds = performance.now() - this.#askedAt;
    this.#isWorking = false;
    this.follow(screen);
    const reason = phase.kind === 'paused' ? phase.reason.kind : undefined;
    if (reason === 'limit') this.#call(limit(this.#place));
    else if (reason !== 'cancelled' && milliseconds >= AWAY_MILLISECONDS) this.#call(yourTurn(this.#place));
  }

  #showTitle({ turns }: Screen, askers: readonly string[]): void {
    const { idle, working, approval } = this.#words.titles;
    const place = this.#place;
    const running = turns.filter(({ ended }) => ended === undefined).map(nameOf);
    const title =
      askers.length > 0
        ? approval(askers.join(', '), place)
        : this.#isWorking
          ? working(running.join(', '), place)
          : idle(place);
    this.#view.setTitle?.(shorten(title));
  }

  #call(text: string): void {
    this.#view.notify?.(shorten(text));
  }
}

function nameOf({ member }: Screen['turns'][number]): string {
  return member.name;
}

/** Names come from team files: nothing in them may reach the terminal as a command. */
function shorten(text: string): string {
  return cutToWidth(sanitizeToOneLine(text), LONGEST_TEXT);
}
