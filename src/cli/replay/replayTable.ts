import { words } from '../../catalogue/words.js';
import type { Role } from '../../frontends/print/paint.js';
import { cutToWidth, formatTable } from '../../frontends/tui/paint/formatTable.js';
import { type Attempt, type Figures, sumUp } from '../../replay/Attempt.js';
import type { ReplayResult, ReplayRow } from '../../replay/Replay.js';
import { type Spread, spreadOf, totalsOf } from '../../replay/spread.js';
import { widthOf } from '../../utils/widthOf.js';
import { formatReplayBlocks } from './replayBlocks.js';
import {
  FIGURES,
  formatChecks,
  formatFigure,
  formatHandoff,
  formatResult,
  formatSpeakers,
  headRow,
  notesOf,
  type ReplayTableOptions,
} from './replayCells.js';

const MEMBERS_WIDTH = 18;
const HANDOFF_WIDTH = 10;

/** A line of cells, or a text, which may stand behind a label in the first column. */
type TableLine = { readonly role?: Role | undefined } & (
  | { readonly kind: 'cells'; readonly cells: readonly string[] }
  | { readonly kind: 'text'; readonly label?: string; readonly text: string }
);

const EMPTY_LINE: TableLine = { kind: 'text', text: '' };

/** The questions, before and now, with sums below. Where a table has no room, a block for each question. */
export function formatReplay(result: ReplayResult, options: ReplayTableOptions): string {
  const { paint, columns = Infinity, byTurn } = options;
  const asked = result.rows.filter(({ after }) => after.length > 0);
  const lines: readonly TableLine[] = [
    ...asked.flatMap((row) => linesOfRow(row, byTurn)),
    EMPTY_LINE,
    { kind: 'text', text: words.replay.heads.total, role: 'strong' },
    ...linesOfTotals(result, byTurn),
  ];
  const rows = lines.flatMap((line) => (line.kind === 'cells' ? [line.cells] : []));
  const [head = '', ...table] = formatTable(headsOf(byTurn), rows).split('\n');
  if ([head, ...table].some((line) => widthOf(line) > columns)) return formatReplayBlocks(result, options);
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

function headsOf(byTurn: boolean): readonly { readonly head: string; readonly isNumber?: boolean }[] {
  const { heads } = words.replay;
  return [
    { head: '' },
    { head: byTurn ? heads.member : heads.members },
    ...(byTurn ? [{ head: heads.handoff }] : []),
    { head: heads.result },
    ...FIGURES.map((name) => ({ head: heads[name], isNumber: true })),
  ];
}

function linesOfRow(row: ReplayRow, byTurn: boolean): readonly TableLine[] {
  const { before, after } = row;
  const { labels, heads } = words.replay;
  const now = spreadOf(after);
  const check = formatChecks(row.checks);
  const hasFailed = row.checks.some((verdict) => verdict?.ok === false);
  return [
    EMPTY_LINE,
    { kind: 'text', text: headRow(row), role: 'strong' },
    cellsOf({ label: labels.before, attempts: [before], figures: sumUp(before.turns), byTurn }, 'faint'),
    ...(now === undefined ? [] : linesOfNow(after, now, byTurn)),
    ...notesOf(after).map((text): TableLine => ({ kind: 'text', label: heads.note, text, role: 'notice' })),
    ...(check === undefined
      ? []
      : [{ kind: 'text', label: heads.check, text: check, role: hasFailed ? 'bad' : 'good' } as const]),
  ];
}

/** A line for one run, two for several. */
function linesOfNow(
  attempts: readonly Attempt[],
  { least, most }: Spread,
  byTurn: boolean,
): readonly TableLine[] {
  const { labels } = words.replay;
  const role = attempts.every(({ result }) => result === 'done' || result === 'waiting') ? undefined : 'bad';
  if (attempts.length === 1) return [cellsOf({ label: labels.now, attempts, figures: least, byTurn }, role)];
  return [
    cellsOf({ label: labels.least, attempts, figures: least, byTurn }, role),
    cellsOf({ label: labels.most, attempts: [], figures: most, byTurn }, role),
  ];
}

interface Cells {
  readonly label: string;
  /** Empty: they are told in another line. */
  readonly attempts: readonly Attempt[];
  readonly figures: Figures;
  readonly byTurn: boolean;
}

function cellsOf({ label, attempts, figures, byTurn }: Cells, role?: Role): TableLine {
  const cells = [
    label,
    cutToWidth(formatSpeakers(attempts), MEMBERS_WIDTH),
    ...(byTurn ? [cutToWidth(formatHandoff(attempts), HANDOFF_WIDTH)] : []),
    formatResult(attempts),
    ...FIGURES.map((name) => formatFigure(name, figures)),
  ];
  return { kind: 'cells', cells, role };
}

function linesOfTotals(result: ReplayResult, byTurn: boolean): readonly TableLine[] {
  const { labels, turns } = words.replay;
  const { before, now } = totalsOf(result);
  const line = (label: string, figures: Figures, role?: Role): TableLine => ({
    kind: 'cells',
    cells: [
      label,
      turns(figures.turns),
      ...(byTurn ? [''] : []),
      '',
      ...FIGURES.map((name) => formatFigure(name, figures)),
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
