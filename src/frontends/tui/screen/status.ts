import { formatCount, formatMoney, formatSeconds } from '../../../catalogue/formats.js';
import { describePause } from '../../../catalogue/tellings.js';
import type { Catalogue } from '../../../catalogue/words.js';
import { canContinue, canRetry, isContinuing, phaseOf } from '../../../conversation/questions.js';
import type { TurnId } from '../../../models/ids.js';
import { findUnpriced } from '../../../presentation/cost.js';
import { describeDoing, describeSilence } from '../../../presentation/describeTurn.js';
import type { LiveTurn } from '../../../presentation/LiveTurn.js';
import type { Tone } from '../../../presentation/Paragraph.js';
import { memberOf, openPermissions } from '../../../presentation/Telling.js';
import { formatNumber } from '../../../utils/formatNumber.js';
import type { Screen } from './Screen.js';

/** The line under the editor: what is happening, the figures in order of importance, and the key to press. */
export interface Status {
  readonly isBusy: boolean;
  readonly now: string;
  /** Stands in the place of `now` while a turn is silent for long; it changes every second. */
  readonly silence?: string;
  readonly tone: Tone;
  readonly figures: readonly string[];
  readonly hint: string;
}

/** Epoch milliseconds of the last event of a turn, if it is known. */
export type LastEventAt = (turnId: TurnId) => number | undefined;

const NAMES_SHOWN = 3;

export function describeStatus(
  screen: Screen,
  now: number,
  words: Catalogue,
  lastEventAt: LastEventAt = () => undefined,
): Status {
  const running = screen.turns.filter(({ ended }) => ended === undefined);
  const { pause } = screen.conversation;
  const silences = running.flatMap((turn) => {
    const milliseconds = now - (lastEventAt(turn.turnId) ?? turn.startedAt);
    return (pause?.kind === 'cancelled' ? undefined : describeSilence(turn, milliseconds, words)) ?? [];
  });
  const [silence] = silences;
  const isSilenceAll = running.length === 1 && silence?.isAllThereIs === true;
  const isBusy = running.length > 0 || isContinuing(screen.conversation);
  const needsPerson = openPermissions(screen).length > 0 || (pause !== null && !isBusy);
  return {
    isBusy,
    now: describeNow(screen, running, words),
    silence: isSilenceAll ? silence.text : undefined,
    // What needs a person stands out; what continues by itself can be read; the rest stays in the background.
    tone: needsPerson ? 'warning' : isBusy ? 'plain' : 'quiet',
    figures: [
      ...(isLooking(screen) ? [words.fileRecords.files(formatNumber(screen.filesSeen ?? 0))] : []),
      ...(isSilenceAll ? [] : silences.map(({ text }) => text)),
      ...describeQueue(screen, words),
      ...describeElapsed(running, now, words),
      ...describeMoney(screen, words),
      ...describeTokens(screen, words),
      ...describeTurnCount(screen, words),
    ],
    hint: isLooking(screen)
      ? words.fileRecords.escSkips
      : isBusy
        ? words.terminal.status.escStops
        : describeNext(screen, words),
  };
}

/** Whether nothing happens but the first look at the folder, which can be skipped. */
export function isLooking({ filesSeen, conversation }: Screen): boolean {
  return filesSeen !== null && conversation.running.length === 0 && conversation.pause === null;
}

/** The key or the command that leads on, if one does: a message always does. */
function describeNext({ conversation }: Screen, words: Catalogue): string {
  if (canContinue(conversation)) return words.terminal.status.enterContinues;
  return canRetry(conversation) ? words.terminal.status.retryReruns : '';
}

/** Every wait says what it waits for. */
function describeNow(screen: Screen, running: readonly LiveTurn[], words: Catalogue): string {
  const [turn] = running;
  if (running.length > 1)
    return words.terminal.status.severalSpeaking(running.map(({ member }) => member.name));
  if (turn !== undefined) return describeTurn(screen, turn, words);
  if (isLooking(screen)) return words.fileRecords.looking;
  const phase = phaseOf(screen.conversation);
  switch (phase.kind) {
    case 'paused':
      return describePause(phase.reason, words).replace(/[.。]$/u, '');
    case 'waiting':
      return phase.named
        ? words.terminal.status.waitingFor(phase.memberIds.map((id) => memberOf(screen, id).name))
        : words.terminal.status.waitingForYou;
    case 'idle':
    case 'running': {
      const { thinking } = words.telling.doing;
      const [next] = screen.conversation.queue;
      return next === undefined
        ? words.terminal.status.ready
        : thinking(memberOf(screen, next.memberId).name);
    }
  }
}

function describeTurn(screen: Screen, turn: LiveTurn, words: Catalogue): string {
  const { name } = turn.member;
  const { pause } = screen.conversation;
  if (pause?.kind === 'cancelled') return words.terminal.status.stopping(name);
  const doing = describeDoing(turn, words);
  return pause === null ? doing : words.joining.facts([doing, words.terminal.status.pausing]);
}

function describeQueue(screen: Screen, words: Catalogue): string[] {
  const names = screen.conversation.queue.map(({ memberId }) => memberOf(screen, memberId).name);
  if (names.length === 0) return [];
  return [words.terminal.status.next(names.slice(0, NAMES_SHOWN), Math.max(0, names.length - NAMES_SHOWN))];
}

function describeElapsed(running: readonly LiveTurn[], now: number, words: Catalogue): string[] {
  if (running.length === 0) return [];
  const since = Math.min(...running.map(({ startedAt }) => startedAt));
  return [formatSeconds(now - since, words)];
}

/** A sum that lacks somebody's turns names them. */
function describeMoney({ limits, conversation, members, isRehearsal }: Screen, words: Catalogue): string[] {
  if (isRehearsal) return [];
  const { usd } = conversation.counters;
  if (limits.usd === undefined && usd === 0) return [];
  const { ofCap, unpriced } = words.terminal.status;
  const names = findUnpriced(conversation.usage, members).map(({ name }) => name);
  const spent = formatMoney(usd, words);
  return [
    limits.usd === undefined ? spent : ofCap(spent, formatMoney(limits.usd, words)),
    ...(names.length > 0 ? [unpriced(names)] : []),
  ];
}

function describeTokens({ limits, conversation, isRehearsal }: Screen, words: Catalogue): string[] {
  if (isRehearsal) return [];
  const { tokens } = conversation.counters;
  const count = formatCount(tokens);
  if (limits.tokens !== undefined)
    return [words.telling.tokens(words.terminal.status.ofCap(count, formatCount(limits.tokens)))];
  return tokens > 0 ? [words.telling.tokens(count)] : [];
}

function describeTurnCount({ limits, conversation }: Screen, words: Catalogue): string[] {
  const { count } = conversation.counters.turns;
  return count > 0 ? [words.terminal.status.turns(count, limits.agentTurns)] : [];
}
