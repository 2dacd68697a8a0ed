import { words } from '../../catalogue/words.js';
import { cutToWidth } from '../../frontends/lines/formatTable.js';
import type { Role } from '../../frontends/lines/paint.js';
import { type Attempt, type Figures, sumUp } from '../../replay/Attempt.js';
import type { ReplayResult, ReplayRow } from '../../replay/Replay.js';
import { type Spread, spreadOf, totalsOf } from '../../replay/spread.js';
import { widthOf } from '../../utils/widthOf.js';
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

/** A label and a text. */
type Entry = readonly [label: string, text: string, role?: Role];

/** The same as the table for a narrow screen: a line for each figure, before → now. */
export function formatReplayBlocks(
  result: ReplayResult,
  { paint, columns = Infinity, byTurn }: ReplayTableOptions,
): string {
  const asked = result.rows.filter(({ after }) => after.length > 0);
  const { before, now } = totalsOf(result);
  const figures = figuresIn(result);
  const blocks: (readonly [string, readonly Entry[]])[] = [
    ...asked.map((row) => [headRow(row), entriesOf(row, byTurn, figures)] as const),
    [words.replay.heads.total, now === undefined ? [] : compareFigures(figures, before, now)],
  ];
  const width = Math.max(...blocks.flatMap(([, entries]) => entries.map(([label]) => widthOf(label))));
  const pad = (label: string): string => label + ' '.repeat(width - widthOf(label));
  return blocks
    .flatMap(([head, entries], index) => [
      ...(index === 0 ? [] : ['']),
      paint('strong', cutToWidth(head, columns)),
      ...entries.map(([label, text, role]) => {
        const line = cutToWidth(`  ${pad(label)}  ${text}`, columns);
        return role === undefined ? line : paint(role, line);
      }),
    ])
    .join('\n');
}

function entriesOf(row: ReplayRow, byTurn: boolean, figures: readonly FigureName[]): readonly Entry[] {
  const { before, after, checks } = row;
  const { heads } = words.replay;
  const now = spreadOf(after);
  const check = formatChecks(checks);
  const compare = (label: string, format: (attempts: readonly Attempt[]) => string): Entry => [
    label,
    formatChange(format([before]), format(after)),
  ];
  return [
    compare(byTurn ? heads.member : heads.members, formatSpeakers),
    ...(byTurn ? [compare(heads.handoff, formatHandoff)] : []),
    compare(heads.result, formatResult),
    ...(now === undefined ? [] : compareFigures(figures, sumUp(before.turns), now)),
    ...notesOf(after).map((note): Entry => [heads.note, note, 'notice']),
    ...(check === undefined
      ? []
      : [[heads.check, check, checks.some((one) => one?.ok === false) ? 'bad' : 'good'] as const]),
  ];
}

function compareFigures(
  names: readonly FigureName[],
  before: Figures,
  { least, most }: Spread,
): readonly Entry[] {
  return names.map((name) => {
    const [low, high] = [formatFigure(name, least), formatFigure(name, most)];
    const now = low === high ? low : `${low}–${high}`;
    return [words.replay.heads[name], formatChange(formatFigure(name, before), now)];
  });
}

/** Tells a value once if it did not change. */
function formatChange(before: string, now: string): string {
  return before === now ? now : `${before || '–'} → ${now || '–'}`;
}
