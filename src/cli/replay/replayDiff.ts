import { words } from '../../catalogue/words.js';
import type { Paint, Role } from '../../frontends/lines/paint.js';
import type { Attempt } from '../../replay/Attempt.js';
import type { ReplayResult, ReplayRow } from '../../replay/Replay.js';
import { type DiffLine, diffLines } from '../../utils/diffLines.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';

const ROLES: Readonly<Record<DiffLine['mark'], Role | undefined>> = {
  '-': 'bad',
  '+': 'good',
  ' ': undefined,
};

/** The answers of every question and every run, line by line against the recorded ones. */
export function* formatAnswerDiffs({ rows }: ReplayResult, paint: Paint): Generator<string> {
  for (const row of rows)
    for (const [index, after] of row.after.entries()) yield* diffAnswers(row, after, index + 1, paint);
}

function* diffAnswers(row: ReplayRow, after: Attempt, run: number, paint: Paint): Generator<string> {
  const { runTitle, same, skippedLines } = words.replay;
  const title = row.after.length > 1 ? runTitle(row.id, run) : row.id;
  yield '';
  yield paint('strong', sanitizeToOneLine(title));
  const [old, now] = [writeAnswers(row.before), writeAnswers(after)];
  if (old === now) {
    yield paint('faint', same);
    return;
  }
  for (const line of diffLines(old, now)) {
    if ('skipped' in line) yield paint('faint', skippedLines(line.skipped));
    else {
      const text = sanitizeForTerminal(`${line.mark}${line.text}`);
      const role = ROLES[line.mark];
      yield role === undefined ? text : paint(role, text);
    }
  }
}

/** Every answer under the name of its author. */
function writeAnswers({ turns }: Attempt): string {
  return turns
    .flatMap(({ member, answer }) =>
      answer === undefined ? [] : `${words.joining.heading(member)}\n${answer.trimEnd()}\n`,
    )
    .join('\n');
}
