import { formatCount, formatDuration, formatMoney } from '../../catalogue/formats.js';
import { describeFailure, describePause } from '../../catalogue/tellings.js';
import { words } from '../../catalogue/words.js';
import { cutToWidth, formatTable } from '../../frontends/lines/formatTable.js';
import type { Paint, Role } from '../../frontends/lines/paint.js';
import type { Column } from '../../presentation/cost.js';
import {
  type Attempt,
  type Figures,
  type Spread,
  speakersOf,
  spreadOf,
  sumUp,
  totalsOf,
} from '../../replay/Attempt.js';
import type { CheckResult, ReplayResult, ReplayRow } from '../../replay/askAgain.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { widthOf } from '../../utils/widthOf.js';

export interface ReplayTableOptions {
  readonly paint: Paint;
  /** Width of the screen; undefined: any. */
  readonly columns: number | undefined;
  /** Rows are turns. */
  readonly byTurn: boolean;
}

type Label = 'before' | 'now' | 'least' | 'most';

/** A question, or the total: a line for then, and one for now, or two of several runs. */
interface Section {
  readonly head: string;
  readonly lines: readonly Line[];
  readonly notes: readonly Note[];
}

interface Line {
  readonly label: Label;
  readonly cells: readonly string[];
  readonly role: Role | undefined;
}

interface Note {
  readonly label: string;
  readonly text: string;
  readonly role: Role;
}

/** Columns for names, which are cut where they have no room: as many as are pleasant, and as few as will do. */
const NAME_WIDTHS = [
  { members: 18, handoff: 10 },
  { members: 9, handoff: 7 },
];
/** A message may be a file. */
const HEAD_WIDTH = 120;

type FigureName = 'words' | 'prompt' | 'tokens' | 'cost' | 'time';

/** Formats of the figures, in the order of their columns. What is unknown is not zero. */
const FIGURES: Readonly<Record<FigureName, (sums: Figures) => string>> = {
  words: (sums) => formatCount(sums.words),
  prompt: ({ promptBytes }) => formatCount(promptBytes),
  tokens: ({ tokens }) => (tokens === undefined ? '' : formatCount(tokens)),
  cost: ({ usd }) => (usd === undefined ? '' : formatMoney(usd)),
  time: ({ milliseconds }) => formatDuration(milliseconds, { short: true }),
};

/** The questions, before and now, with sums below. Where a table has no room, a block for each question. */
export function formatReplay({ rows }: ReplayResult, options: ReplayTableOptions): string {
  const { byTurn } = options;
  const sums = rows.flatMap(({ before, after }) => [before, ...after].map(({ turns }) => sumUp(turns)));
  // Agents that are commands report no tokens, for instance.
  const figures = (Object.keys(FIGURES) as FigureName[]).filter((name) =>
    sums.some((one) => FIGURES[name](one) !== ''),
  );
  const asked = rows.filter(({ after }) => after.length > 0);
  const sections = asked.map((row) => describeRow(row, byTurn, figures));
  const total = describeTotal(asked, byTurn, figures);
  const columns = columnsOf(byTurn, figures);
  for (const { members, handoff } of NAME_WIDTHS) {
    const widths = byTurn ? [members, handoff] : [members];
    const table = layOutTable([...sections, total], columns, widths, options);
    if (table !== undefined) return table;
  }
  return layOutBlocks(sections, total, columns, options);
}

function columnsOf(byTurn: boolean, figures: readonly FigureName[]): readonly Column[] {
  const { heads } = words.replay;
  const names = byTurn ? [heads.member, heads.handoff] : [heads.members];
  return [
    ...[...names, heads.result].map((head) => ({ head })),
    ...figures.map((name) => ({ head: heads[name], isNumber: true })),
  ];
}

function describeRow(row: ReplayRow, byTurn: boolean, figures: readonly FigureName[]): Section {
  const { id, question, before, after, checks } = row;
  const namesOf = (attempts: readonly Attempt[]): string[] => [
    formatAlike(attempts.map(speakersOf)),
    ...(byTurn ? [formatAlike(attempts.map(({ turns }) => turns.at(-1)?.handoff ?? []))] : []),
    formatResults(attempts),
  ];
  const names = { before: namesOf([before]), now: namesOf(after), least: namesOf(after) };
  // Who spoke, and how it ended, stands in the line above.
  const most = names.now.map(() => '');
  const lines = linesOf(sumUp(before.turns), spreadOf(after), after.length > 1, (label, sums) => [
    ...{ ...names, most }[label],
    ...figures.map((name) => FIGURES[name](sums)),
  ]);
  const isBad = after.some(({ result }) => result !== 'done' && result !== 'waiting');
  return {
    head: cutToWidth(`${sanitizeToOneLine(id)}  ${sanitizeToOneLine(question)}`, HEAD_WIDTH),
    lines: lines.map((line) => (isBad && line.label !== 'before' ? { ...line, role: 'bad' } : line)),
    notes: [...describeNotes(after), ...describeChecks(checks)],
  };
}

function describeTotal(rows: readonly ReplayRow[], byTurn: boolean, figures: readonly FigureName[]): Section {
  const { before, now } = totalsOf(rows);
  const isSpread = rows.some(({ after }) => after.length > 1);
  const lines = linesOf(before, now, isSpread, (_, sums) => [
    words.replay.turns(sums.turns),
    ...(byTurn ? ['', ''] : ['']),
    ...figures.map((name) => FIGURES[name](sums)),
  ]);
  return { head: words.replay.heads.total, lines, notes: [] };
}

function linesOf(
  before: Figures,
  now: Spread | undefined,
  isSpread: boolean,
  cellsOf: (label: Label, sums: Figures) => readonly string[],
): Line[] {
  const line = (label: Label, sums: Figures, role?: Role): Line => ({
    label,
    cells: cellsOf(label, sums),
    role,
  });
  const then = line('before', before, 'faint');
  if (now === undefined) return [then];
  return isSpread ? [then, line('least', now.least), line('most', now.most)] : [then, line('now', now.least)];
}

/** The members or results of several runs, if they were the same in all of them. */
function formatAlike(names: readonly (readonly string[])[]): string {
  const texts = new Set(names.map((all) => sanitizeToOneLine(words.joining.list(all))));
  const [first = ''] = texts;
  return texts.size > 1 ? words.replay.differs : first;
}

/** The result: `done`, or of several runs `2/3 done`. */
export function formatResults(attempts: readonly Attempt[]): string {
  const { results } = words.replay;
  const found = attempts.map(({ result }) => results[result]);
  const [first = ''] = found;
  const same = found.filter((result) => result === first).length;
  return same === found.length ? first : `${same}/${found.length} ${first}`;
}

/** Notes on what the figures of some runs do not tell, each once: pauses, people who are waited for, failures. */
function describeNotes(attempts: readonly Attempt[]): Note[] {
  const texts = attempts.flatMap(({ turns, pause, waitingFor, notRun }) => [
    ...turns.flatMap(({ member, failure }) => (failure ? describeFailure(member, failure).what : [])),
    ...(pause === null ? [] : [describePause(pause)]),
    ...(notRun.length === 0 ? [] : [words.print.notRun(notRun)]),
    ...(waitingFor.length === 0 ? [] : [words.sessionStatus.awaited(waitingFor)]),
  ]);
  return [...new Set(texts.map(sanitizeToOneLine))].map((text) => ({
    label: words.replay.heads.note,
    text,
    role: 'notice',
  }));
}

/** The verdicts on one question, if there are any. */
function describeChecks(checks: readonly (CheckResult | undefined)[]): Note[] {
  const given = checks.flatMap((check) => check ?? []);
  const failed = given.find(({ ok }) => !ok);
  const telling = failed ?? given[0];
  if (telling === undefined) return [];
  const { heads, checksPassed } = words.replay;
  const passed = given.filter(({ ok }) => ok).length;
  const line = telling.problem === undefined ? telling.line : formatCheck(telling);
  const text = given.length === 1 ? formatCheck(telling) : checksPassed(passed, given.length, line);
  return [{ label: heads.check, text, role: failed ? 'bad' : 'good' }];
}

function formatCheck({ ok, line, problem }: CheckResult): string {
  const { passed, failed, checkProblems } = words.replay;
  if (problem !== undefined) return checkProblems[problem](line);
  return ok ? passed(line) : failed(line);
}

/** All of it as a table; undefined: there is no room for one. */
function layOutTable(
  sections: readonly Section[],
  columns: readonly Column[],
  nameWidths: readonly number[],
  { paint, columns: edge = Infinity }: ReplayTableOptions,
): string | undefined {
  const { labels } = words.replay;
  const rows = sections.flatMap(({ lines }) =>
    lines.map(({ label, cells }) => [
      labels[label],
      ...cells.map((cell, index) => cutToWidth(cell, nameWidths[index] ?? Infinity)),
    ]),
  );
  const [head = '', ...table] = formatTable([{ head: '' }, ...columns], rows).split('\n');
  if ([head, ...table].some((line) => widthOf(line) > edge)) return undefined;
  const labelWidth = Math.max(...rows.map(([label = '']) => widthOf(label)));
  const shown = sections.flatMap((section) => [
    '',
    paint('strong', cutToWidth(section.head, edge)),
    ...section.lines.map(({ role }) => painted(table.shift() ?? '', role, paint)),
    ...section.notes.map(({ label, text, role }) =>
      paint(role, cutToWidth(`${padTo(label, labelWidth)}  ${text}`, edge)),
    ),
  ]);
  return [paint('faint', head), ...shown].join('\n');
}

/** A block for each question with a line for each column, before → now. */
function layOutBlocks(
  sections: readonly Section[],
  total: Section,
  columns: readonly Column[],
  { paint, columns: edge = Infinity }: ReplayTableOptions,
): string {
  const blocks = [...sections, total].map((section) => {
    const compared = columns.map(({ head, isNumber }, index) => {
      const [before = '', low = '', high = ''] = section.lines.map(({ cells }) => cells[index] ?? '');
      const now = high === '' || high === low ? low : `${low}–${high}`;
      return {
        label: head,
        text: before === now ? now : `${before || '–'} → ${now || '–'}`,
        isNumber,
        role: undefined,
      };
    });
    const entries = section === total ? compared.filter(({ isNumber }) => isNumber) : compared;
    return { head: section.head, entries: [...entries, ...section.notes] };
  });
  const width = Math.max(...blocks.flatMap(({ entries }) => entries.map(({ label }) => widthOf(label))));
  return blocks
    .map(({ head, entries }) =>
      [
        paint('strong', cutToWidth(head, edge)),
        ...entries.map(({ label, text, role }) =>
          painted(cutToWidth(`  ${padTo(label, width)}  ${text}`, edge), role, paint),
        ),
      ].join('\n'),
    )
    .join('\n\n');
}

function painted(text: string, role: Role | undefined, paint: Paint): string {
  return role === undefined ? text : paint(role, text);
}

function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
