import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';
import { summarizeRequest } from '../../../catalogue/permissionRequests.js';
import { textFrom } from '../../../markdown/fences.js';
import { headingOf } from '../../../presentation/describeBlock.js';
import { isRunning, type LiveTurn } from '../../../presentation/LiveTurn.js';
import { line } from '../../../presentation/Paragraph.js';
import { openPermissions } from '../../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';
import type { Screen } from '../screen/Screen.js';
import type { Status } from '../screen/status.js';
import { renderParagraph } from './renderParagraph.js';
import type { Theme } from './theme.js';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const MOST_TODO_ITEMS = 6;
const MOST_TOOLS = 4;
const MOST_QUESTIONS = 4;
/** Share of the screen: the rest shows how the transcript continues, such as tools that are used meanwhile. */
const LIVE_SHARE = 0.7;
const SEPARATOR = ' · ';

/** The room and the colours of the live part, and how often its spinner has turned. */
interface Look {
  readonly width: number;
  readonly frame: number;
  readonly theme: Theme;
}

/** The turns that run, in at most `rows` lines: of text that grows, only its end is shown. */
export function renderTurns(screen: Screen, rows: number, look: Look): string[] {
  const questions = renderQuestions(screen, look);
  return [...renderRunning(screen, rows - questions.length, look), ...questions];
}

/** Stays below all that agents say: what looks like a question further up may be their words. */
function renderQuestions(screen: Screen, { width, theme }: Look): string[] {
  const questions = openPermissions(screen).slice(0, MOST_QUESTIONS);
  if (questions.length === 0) return [];
  const lines = questions.flatMap((question) => {
    const text = theme.words.joining.labelled(String(question.number), summarizeRequest(question));
    return renderParagraph(line('?', 'warning', text), width, theme);
  });
  return ['', ...lines];
}

function renderRunning(screen: Screen, rows: number, look: Look): string[] {
  const { width, theme } = look;
  const running = screen.turns.filter(({ ended }) => ended === undefined);
  const share = Math.floor((rows * LIVE_SHARE) / Math.max(1, running.length));
  return running.flatMap((turn) => {
    const heading = renderParagraph(headingOf(turn.member), width, theme);
    const top = screen.heading === turn.turnId ? [''] : ['', ...heading];
    const below = [...renderTools(turn, look), ...renderTodo(turn, look)];
    const room = share - top.length - below.length;
    const lines = [...showEnd(layOutPreview(turn, width, room, theme), room, theme), ...below];
    return lines.length === 0 && screen.heading === turn.turnId ? [] : [...top, ...lines].slice(0, share);
  });
}

/** Laid out once: the spinner turns and keys are pressed more often than text arrives. */
const previews = new WeakMap<LiveTurn, Preview>();

interface Preview {
  readonly width: number;
  readonly room: number;
  readonly lines: readonly string[];
}

function layOutPreview(turn: LiveTurn, width: number, room: number, theme: Theme): readonly string[] {
  const known = previews.get(turn);
  if (known?.width === width && known.room >= room) return known.lines;
  const text = endOf(turn.preview, 2 * width * room);
  const lines = renderParagraph({ kind: 'text', text, tone: 'plain' }, width, forGrowingText(theme));
  previews.set(turn, { width, room, lines });
  return lines;
}

/** Code that grows gets its colours line by line, not letter by letter. */
function forGrowingText(theme: Theme): Theme {
  const { highlight } = theme;
  if (highlight === undefined) return theme;
  return {
    ...theme,
    highlight: (text, language) => {
      const end = text.lastIndexOf('\n') + 1;
      const spans = highlight(text.slice(0, end), language);
      return spans && [...spans, { text: text.slice(end) }];
    },
  };
}

/** The last lines of a text, about so many characters: what scrolls away at once need not be laid out. */
function endOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const lineStart = text.indexOf('\n', text.length - length) + 1;
  return lineStart > 0 && lineStart < text.length ? textFrom(text, lineStart) : text;
}

/** The last lines, with a sign where others came before them. */
function showEnd(lines: readonly string[], room: number, theme: Theme): readonly string[] {
  if (lines.length <= room) return lines;
  return room < 2 ? [] : [theme.tones.quiet('  …'), ...lines.slice(1 - room)];
}

/** Status and hint on one line, a column less than it may; figures that do not fit are left out, the least important first. */
export function renderStatus(status: Status, { width, frame, theme }: Look): string {
  const { isBusy, tone, hint } = status;
  const room = width - 3 - (hint === '' ? 0 : visibleWidth(hint) + 2);
  const now = truncateToWidth(sanitizeToOneLine(status.silence ?? status.now), Math.max(1, room), '…');
  const figures = fitFigures(status.figures, room - visibleWidth(now));
  const gap = ' '.repeat(Math.max(1, width - 3 - visibleWidth(now + figures) - visibleWidth(hint)));
  const line = `${isBusy ? spinner(frame) : ' '} ${theme.tones[tone](now)}${theme.tones.quiet(figures)}`;
  return hint === '' ? line : `${line}${gap}${theme.tones.quiet(hint)}`;
}

function fitFigures(figures: readonly string[], room: number): string {
  let fitting = '';
  for (const figure of figures) {
    const longer = fitting + SEPARATOR + sanitizeToOneLine(figure);
    if (visibleWidth(longer) > room) break;
    fitting = longer;
  }
  return fitting;
}

function renderTools({ tools }: LiveTurn, { width, frame, theme }: Look): string[] {
  const running = tools.filter(isRunning).slice(-MOST_TOOLS);
  return running.flatMap(({ number, name, input }) => {
    const call = line(spinner(frame), 'warning', `${name} ${input}`.trim());
    return renderParagraph({ ...call, aside: `#${number}` }, width, theme);
  });
}

function renderTodo({ todo }: LiveTurn, { width, theme }: Look): string[] {
  const open = todo.filter(({ done }) => !done).slice(0, MOST_TODO_ITEMS);
  return open.flatMap(({ text }) => renderParagraph(line('☐', 'quiet', text), width, theme));
}

function spinner(frame: number): string {
  return SPINNER[frame % SPINNER.length] ?? '';
}
