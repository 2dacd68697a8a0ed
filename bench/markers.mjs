// W2: marker scanning and stripping stays linear on texts made to hurt it.
import { MessageRouter } from '../compiled/context/index.js';
import { stripLiterally } from './literal.mjs';
import { costsBySize, goal, growthExponent, table, time } from './measure.mjs';

const MEGABYTE = 1_000_000;
const SIZES = [1, 2, 4, 8].map((count) => count * MEGABYTE);
const LITERAL_BYTES = 50_000;
/** Those with a goal for time as well; the others are dense in markers that act, each of which is work. */
const withTimeGoal = new Set(['prose', '[NEXT:', '[FROM:', '[', '[TEAM_TASK]', 'backticks', 'spaces']);
const texts = {
  prose: 'The quick brown fox jumps over the lazy dog. ',
  '[NEXT:': '[NEXT:',
  '[FROM:': '[FROM:',
  '[': '[',
  '[TEAM_TASK]': '[TEAM_TASK]',
  '[NEXT: a]': '[NEXT: a]',
  '[NEXT: a] in lines': 'text [NEXT: a] more\n',
  backticks: '`',
  'backtick runs': '` `` ``` ',
  '<!--': '[NEXT: a] <!-- ',
  quotes: '> [NEXT: a]\n',
  lists: '- [NEXT: a]\n',
  fences: '```\n[NEXT: a]\n```\n',
  spaces: ' ',
  newlines: '\n',
};

/** What people write is also read for names. */
const mentions = {
  '@max': '@max ',
  '@stranger': '@stranger ',
  '@ without a word': '@',
  '@max in code': '`@max` ',
  '[NEXT without a colon': '[NEXT ',
  'no spaces': '@小明看看看看',
};

export function markers() {
  console.log('\nW2 markers: find and strip, CPU ms per MB\n');
  const router = new MessageRouter();
  const rows = [['1 MB of', 'ms/MB', 'exponent', 'documents']];
  let steepest = 0;
  let slowest = 0;
  let newlines = 0;
  for (const [name, unit] of Object.entries(texts)) {
    const workOf = (size) => {
      // The last words make sure that no fast path hides the scanner.
      const text = `${unit.repeat(Math.ceil(size / unit.length)).slice(0, size)}\n\n[NEXT: max]`;
      return () => router.stripAllMarkersForContext(text);
    };
    const points = costsBySize(SIZES, workOf, { rounds: 15, roundMilliseconds: 20 });
    const exponent = growthExponent(points);
    const perMegabyte = points[0][1] / 1000;
    const literalText = unit.repeat(Math.ceil(LITERAL_BYTES / unit.length));
    const literal = time(() => stripLiterally(literalText), { rounds: 1, roundMilliseconds: 1 });
    rows.push([
      name,
      perMegabyte.toFixed(1),
      exponent.toFixed(2),
      `${((literal / 1000) * (MEGABYTE / LITERAL_BYTES)).toFixed(0)} ms/MB at 50 KB`,
    ]);
    steepest = Math.max(steepest, exponent);
    if (name === 'newlines') newlines = perMegabyte;
    else if (withTimeGoal.has(name)) slowest = Math.max(slowest, perMegabyte);
  }
  const mentionRows = [['1 MB of', 'ms/MB', 'exponent']];
  for (const [name, unit] of Object.entries(mentions)) {
    const workOf = (size) => {
      const text = `${unit.repeat(Math.ceil(size / unit.length)).slice(0, size)}\n\n@max`;
      return () => router.parseMessage(text, 'human', ['max', '小明']);
    };
    const points = costsBySize(SIZES, workOf, { rounds: 5, roundMilliseconds: 20 });
    const exponent = growthExponent(points);
    mentionRows.push([name, (points[0][1] / 1000).toFixed(1), exponent.toFixed(2)]);
    steepest = Math.max(steepest, exponent);
  }
  table(rows);
  console.log('\nW2 names in what people write\n');
  table(mentionRows);
  console.log();
  goal('W2 steepest growth exponent', steepest, 1.15);
  goal('W2 slowest', slowest, 20, ' ms/MB');
  goal('W2 newlines only', newlines, 100, ' ms/MB');
}
