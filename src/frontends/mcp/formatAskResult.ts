import { formatMoney } from '../../catalogue/formats.js';
import type { Catalogue } from '../../catalogue/words.js';
import { formatJson } from '../../utils/formatJson.js';
import type { AskAnswer, AskResult } from './AskResult.js';
import type { Reply } from './McpOptions.js';

/** Codex shows a model 10,000 tokens of a result, and Claude Code warns at as many. */
const MOST_CHARACTERS = 30_000;
/** Room for a mark of what was cut. */
const MARK_CHARACTERS = 160;

/** Formats the result of an ask as a text or as data: both are the same, and of bounded length. */
export function formatAskResult(result: AskResult, format: 'text' | 'json', words: Catalogue): Reply {
  const isAnswered = result.answers.some(({ outcome }) => outcome === 'completed');
  const about = { session: result.session, isError: result.status === 'failed' && !isAnswered };
  if (format === 'text') return { ...about, text: fitResult(result, words, (cut) => formatText(cut, words)) };
  const text = fitResult(result, words, (cut) => formatJson(describeJson(cut)));
  return { ...about, text, structure: JSON.parse(text) };
}

/** Cuts answers, evenly, until the whole has room. */
function fitResult(result: AskResult, words: Catalogue, print: (cut: AskResult) => string): string {
  const lengths = result.answers.map(({ text }) => text.length);
  const whole = print(result);
  if (whole.length <= MOST_CHARACTERS) return whole;
  // What is printed around the answers, and in place of some of their characters, is known when it was printed.
  for (let room = MOST_CHARACTERS; ; room = Math.floor(room * 0.8)) {
    const shares = shareCharacters(lengths, room);
    const printed = print({
      ...result,
      answers: result.answers.map((answer, place) =>
        cutAnswer(answer, shares[place] ?? 0, result.session, words),
      ),
    });
    if (printed.length <= MOST_CHARACTERS || room < MARK_CHARACTERS) return printed;
  }
}

function cutAnswer(answer: AskAnswer, share: number, session: string, words: Catalogue): AskAnswer {
  const { text, message } = answer;
  if (text.length <= share) return answer;
  const kept = text.slice(0, Math.max(0, share - MARK_CHARACTERS)).replace(/[\uD800-\uDBFF]$/u, '');
  return { ...answer, text: `${kept}${words.mcp.cut(text.length - kept.length, session, message)}` };
}

function formatText(result: AskResult, words: Catalogue): string {
  const answers = result.answers.map((answer) => formatAnswer(answer, words));
  return [formatHead(result, words), ...answers, ...result.notes].join('\n\n');
}

/** `session 20261115-0336-8aad · done · 2 turns · $0.03`. */
function formatHead(
  { session, status, turns, usd, isEstimated, running }: AskResult,
  words: Catalogue,
): string {
  const { mcp, telling } = words;
  const money = formatMoney(usd, words);
  const speaking = running.map(({ member, seconds }) => mcp.speaking(member, seconds));
  return [
    mcp.session(session),
    mcp.statuses[status],
    mcp.turns(turns),
    ...(usd > 0 ? [isEstimated ? telling.estimated(money) : money] : []),
    ...speaking,
  ].join(' · ');
}

function formatAnswer({ member, outcome, text, error, handsOffTo }: AskAnswer, words: Catalogue): string {
  const { mcp, telling } = words;
  const isAnswer = outcome === 'completed' && text !== '';
  const head = isAnswer ? `## ${member}` : `## ${member} · ${telling.outcomes[outcome]}`;
  const isDraft = outcome !== 'completed' && text !== '';
  return [
    head,
    ...(error === undefined ? [] : [error]),
    ...(isDraft ? [mcp.draft] : []),
    ...(text === '' ? [] : [text]),
    ...(handsOffTo === undefined ? [] : [mcp.handsOff(member, handsOffTo)]),
  ].join('\n\n');
}

function describeJson({ isEstimated, ...result }: AskResult): object {
  return { ...result, ...(isEstimated && { isEstimated }) };
}

/** Gives each text its share of the room: those that need less leave the rest to the others. */
export function shareCharacters(lengths: readonly number[], room: number): readonly number[] {
  const shares = new Map<number, number>();
  let left = Math.max(0, room);
  const byLength = lengths
    .map((length, place) => ({ length, place }))
    .sort((one, other) => one.length - other.length);
  for (const [index, { length, place }] of byLength.entries()) {
    const share = Math.min(length, Math.floor(left / (byLength.length - index)));
    shares.set(place, share);
    left -= share;
  }
  return lengths.map((_, place) => shares.get(place) ?? 0);
}
