import { formatDuration, formatMoney } from '../../catalogue/formats.js';
import { marksOf } from '../../catalogue/members.js';
import { describePause, describeTrouble } from '../../catalogue/tellings.js';
import type { Catalogue } from '../../catalogue/words.js';
import type { ConversationStatus } from '../../conversation/ConversationStatus.js';
import { askedFor, outcomeOf } from '../../conversation/questions.js';
import type { MemberSummary } from '../../models/ConversationEvent.js';
import { needsPrice } from '../../models/knownPrograms.js';
import type { UnfinishedOutcome } from '../../models/TurnOutcome.js';
import { adviseUnpriced, labelUnpriced, type UsageTotals } from '../../presentation/cost.js';
import { memberOf, namesIn, type Telling } from '../../presentation/Telling.js';
import type { ConversationSummary } from '../../store/summary.js';
import { tellTrouble } from '../lines/sentences.js';

/** The heading over the words of a member. */
export function headMember(member: MemberSummary, words: Catalogue, isDraft = false): string {
  const marks = [...marksOf(member, words), ...(isDraft ? [words.telling.draft] : [])];
  const { heading, described } = words.joining;
  return heading(marks.length > 0 ? described(member.name, marks) : member.name);
}

/** `error[CODE]: what happened; what was kept. What to do.` */
export function explainTrouble(name: string, result: UnfinishedOutcome, words: Catalogue): string {
  return words.cli.error(describeTrouble(name, result, words).code, tellTrouble(name, result, words));
}

/** The reason why it is over, when it is not simply done, and how to continue: of a saved session by its id. */
export function describeEnd(telling: Telling, words: Catalogue, saved?: string): string[] {
  const { conversation } = telling;
  const { pause, queue } = conversation;
  const nameOf = namesIn(telling);
  const notRun = queue.length > 0 ? [words.print.notRun(queue.map(({ memberId }) => nameOf(memberId)))] : [];
  const { toContinue, toResume, afterReader } = words.print;
  if (pause?.kind === 'limit') {
    const advice = saved === undefined ? toContinue[pause.limit] : toResume(saved);
    return [describePause(pause, words), ...notRun, advice];
  }
  if (pause?.kind === 'reader') return [describePause(pause, words), ...notRun, afterReader];
  const outcome = outcomeOf(conversation);
  if (outcome === 'no-recipient') return [words.cli.error('NO_RECIPIENT', words.print.noRecipient)];
  return outcome === 'waiting' ? [words.print.waiting(askedFor(conversation).map(nameOf))] : notRun;
}

/** The cost, on one line. */
export function describeCost(
  totals: UsageTotals,
  telling: Telling,
  words: Catalogue,
  isPlayed = false,
): string {
  const { usage, estimated } = words.telling;
  const { turns, milliseconds, inputTokens, outputTokens, usd, isEstimated } = totals;
  const parts = [words.print.turns(turns, formatDuration(milliseconds, { short: true }, words))];
  if (isPlayed) return [...parts, words.print.played].join(' · ');
  if (telling.start?.isRehearsal) return [...parts, words.print.nothingSpent].join(' · ');
  if (inputTokens + outputTokens > 0) parts.push(usage(inputTokens, outputTokens));
  if (usd > 0) parts.push(isEstimated ? estimated(formatMoney(usd, words)) : formatMoney(usd, words));
  const missing = labelUnpriced(unpricedIn(totals, telling), words);
  if (missing.length > 0) parts.push(words.print.unpriced(missing));
  return parts.join(' · ');
}

/** Ways to add the prices that the cost lacks, a line each. */
export function adviseCost(totals: UsageTotals, telling: Telling, words: Catalogue): readonly string[] {
  return telling.start?.isRehearsal ? [] : adviseUnpriced(unpricedIn(totals, telling), words);
}

function unpricedIn({ unpriced }: UsageTotals, telling: Telling): readonly MemberSummary[] {
  return unpriced.map((id) => memberOf(telling, id)).filter(needsPrice);
}

type Holder = ConversationSummary['holder'];

/** Describes the status of a stored conversation, in lines: what runs or was cut off, what waits, and why it does not continue. */
export function describeSessionStatus(
  { state }: ConversationStatus,
  nameOf: (memberId: string) => string,
  holder: Holder,
  words: Catalogue,
): readonly string[] {
  const { running, unfinished, queue, pause } = state;
  const people = askedFor(state);
  const lines = [
    ...running.map(({ turnId, memberId }) => describeOpenTurn(turnId, nameOf(memberId), holder, words)),
    ...unfinished.map(({ turn: { turnId, memberId } }) =>
      words.sessionStatus.unfinished(turnId, nameOf(memberId)),
    ),
    ...(queue.length > 0 ? [words.sessionStatus.queue(queue.map(({ memberId }) => nameOf(memberId)))] : []),
    ...(pause === null ? [] : [describePause(pause, words)]),
    ...(people.length > 0 ? [words.sessionStatus.awaited(people.map(nameOf))] : []),
  ];
  return lines.length > 0 ? lines : [words.sessionStatus.nothing];
}

/** A turn of which the log says only that it began: it runs if a process has the conversation open, else it was cut off. */
export function describeOpenTurn(turnId: string, name: string, holder: Holder, words: Catalogue): string {
  const { running, interrupted } = words.sessionStatus;
  return holder === undefined ? interrupted(turnId, name) : running(turnId, name, holder);
}

/** A command as it is typed in a shell. `sessionId` names a session that is not the latest, which commands take by themselves. */
export function huddleCommand(sessionId?: string): (name: string, what: string) => string {
  const session = sessionId === undefined ? '' : ` --session ${sessionId}`;
  return (name, what) => `huddle ${name} ${what}${session}`;
}
