import { words } from '../../catalogue/words.js';
import { cutToWidth, formatTable } from '../../frontends/lines/formatTable.js';
import type { Role } from '../../frontends/lines/paint.js';
import type { Column } from '../../presentation/cost.js';
import { type Attempt, type Figures, sumUp } from '../../replay/Attempt.js';
import type { ReplayResult, ReplayRow } from '../../replay/Replay.js';
import { type Spread, spreadOf, totalsOf } from '../../replay/spread.js';
import { widthOf } from '../../utils/widthOf.js';
import { formatReplayBlocks } from './replayBlocks.js';
import {
  type FigureName,
  figuresIn,
  formatChecks,
  formatFigure,
  formatHandoff,
  formatResult,
  formatSpeakers,
  headRow,
  notesOf,
  type ReplayTableOptions,
} from './replayCells.js';

/** Columns for names, which are cut where they have no room: as many as are pleasant, and as few as will do. */
const NAME_WIDTHS = [
  { members: 18, handoff: 10 },
  { members: 9, handoff: 7 },
];

/** A line of cells, or a text, which may stand behind a label in the first column. */
type TableLine = { readonly role?: Role | undefined } & (
  | { readonly kind: 'cells'; readonly cells: readonly string[] }
  | { readonly kind: 'text'; readonly label?: string; readonly text: string }
);

const EMPTY_LINE: TableLine = { kind: 'text', text: '' };

/** The columns that a table has. */
interface Shape {
  readonly byTurn: boolean;
  readonly figures: readonly FigureName[];
  readonly widths: (typeof NAME_WIDTHS)[number];
}

/** The questions, before and now, with sums below. Where a table has no room, a block for each question. */
export function formatReplay(result: ReplayResult, options: ReplayTableOptions): string {
  const figures = figuresIn(result);
  for (const widths of NAME_WIDTHS) {
    const table = formatShaped(result, { byTurn: options.byTurn, figures, widths }, options);
    if (table !== undefined) return table;
  }
  return formatReplayBlocks(result, options);
}

/** The table, if there is room for it. */
function formatShaped(
  result: ReplayResult,
  shape: Shape,
  { paint, columns = Infinity }: ReplayTableOptions,
): string | undefined {
  const asked = result.rows.filter(({ after }) => after.length > 0);
  const lines: readonly TableLine[] = [
    ...asked.flatMap((row) => linesOfRow(row, shape)),
    EMPTY_LINE,
    { kind: 'text', text: words.replay.heads.total, role: 'strong' },
    ...linesOfTotals(result, shape),
  ];
  const rows = lines.flatMap((line) => (line.kind === 'cells' ? [line.cells] : []));
  const [head = '', ...table] = formatTable(headsOf(shape), rows).split('\n');
  if ([head, ...table].some((line) => widthOf(line) > columns)) return undefined;
  const labelWidth = Math.max(...rows.map(([label = '']) => widthOf(label)));
  const shown = lines.map((line) => {
    const text =
      line.kind === 'cells' ? (table.shift() ?? '') : cutToWidth(layOut(line, labelWidth), columns);
    return line.role === undefined ? text : paint(line.role, text);
  });
  return [paint('faint', head), ...shown].join('\n');
}

function layOut({ label, text }: Extract<TableLine, { kind: 'text' }>, labelWidth: number): string {
  if (label === undefined) return text;
  return `${label}${' '.repeat(Math.max(0, labelWidth - widthOf(label)))}  ${text}`;
}

function headsOf({ byTurn, figures }: Shape): readonly Column[] {
  const { heads } = words.replay;
  return [
    { head: '' },
    { head: byTurn ? heads.member : heads.members },
    ...(byTurn ? [{ head: heads.handoff }] : []),
    { head: heads.result },
    ...figures.map((name) => ({ head: heads[name], isNumber: true })),
  ];
}

function linesOfRow(row: ReplayRow, shape: Shape): readonly TableLine[] {
  const { before, after, checks } = row;
  const { labels, heads } = words.replay;
  const now = spreadOf(after);
  const check = formatChecks(checks);
  const verdict = checks.some((one) => one?.ok === false) ? 'bad' : 'good';
  return [
    EMPTY_LINE,
    { kind: 'text', text: headRow(row), role: 'strong' },
    lineOf(labels.before, [before], sumUp(before.turns), shape, 'faint'),
    ...(now === undefined ? [] : linesOfNow(after, now, shape)),
    ...notesOf(after).map((text): TableLine => ({ kind: 'text', label: heads.note, text, role: 'notice' })),
    ...(check === undefined
      ? []
      : [{ kind: 'text', label: heads.check, text: check, role: verdict } as const]),
  ];
}

/** A line for one run, two for several. */
function linesOfNow(
  attempts: readonly Attempt[],
  { least, most }: Spread,
  shape: Shape,
): readonly TableLine[] {
  const { labels } = words.replay;
  const role = attempts.every(({ result }) => result === 'done' || result === 'waiting') ? undefined : 'bad';
  if (attempts.length === 1) return [lineOf(labels.now, attempts, least, shape, role)];
  return [
    lineOf(labels.least, attempts, least, shape, role),
    // Who spoke, and how it ended, stands in the line above.
    lineOf(labels.most, [], most, shape, role),
  ];
}

function lineOf(
  label: string,
  attempts: readonly Attempt[],
  figures: Figures,
  shape: Shape,
  role?: Role,
): TableLine {
  const cells = [
    label,
    cutToWidth(formatSpeakers(attempts), shape.widths.members),
    ...(shape.byTurn ? [cutToWidth(formatHandoff(attempts), shape.widths.handoff)] : []),
    formatResult(attempts),
    ...shape.figures.map((name) => formatFigure(name, figures)),
  ];
  return { kind: 'cells', cells, role };
}

function linesOfTotals(result: ReplayResult, { byTurn, figures: names }: Shape): readonly TableLine[] {
  const { labels, turns } = words.replay;
  const { before, now } = totalsOf(result);
  const line = (label: string, figures: Figures, role?: Role): TableLine => ({
    kind: 'cells',
    cells: [
      label,
      turns(figures.turns),
      ...(byTurn ? [''] : []),
      '',
      ...names.map((name) => formatFigure(name, figures)),
    ],
    role,
  });
  const isSpread = result.rows.some(({ after }) => after.length > 1);
  return [
    line(labels.before, before, 'faint'),
    ...(now === undefined ? [] : [line(isSpread ? labels.least : labels.now, now.least)]),
    ...(now === undefined || !isSpread ? [] : [line(labels.most, now.most)]),
  ];
}
