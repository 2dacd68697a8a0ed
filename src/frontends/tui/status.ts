import {
  formatCount,
  formatDuration,
  formatUsd,
  terminalEnglish as words,
} from '../../catalogue/terminal.js';
import { goesOn, phaseOf } from '../../conversation/questions.js';
import type { Tone } from './Block.js';
import type { LiveTurn } from './LiveTurn.js';
import { type Screen, speakerOf } from './Screen.js';

/** The line under the editor: what is going on, the figures in order of importance, and the key to press. */
export interface Status {
  readonly isBusy: boolean;
  readonly now: string;
  readonly tone: Tone;
  readonly figures: readonly string[];
  readonly hint: string;
}

const NAMES_SHOWN = 3;

export function describeStatus(screen: Screen, now: number): Status {
  const running = screen.turns.filter(({ isEnded }) => !isEnded);
  return {
    isBusy: running.length > 0 || goesOn(screen.conversation),
    now: describeNow(screen, running),
    tone: toneOf(screen, running),
    figures: [
      ...describeQueue(screen),
      ...describeElapsed(running, now),
      ...describeMoney(screen),
      ...describeTokens(screen),
      ...describeTurnCount(screen),
    ],
    hint: describeHint(screen, running),
  };
}

/** What needs somebody stands out; what goes by itself can be read; the rest stays in the background. */
function toneOf(screen: Screen, running: readonly LiveTurn[]): Tone {
  if (screen.permissions.length > 0) return 'warning';
  if (running.length > 0 || goesOn(screen.conversation)) return 'plain';
  return screen.conversation.pause === null ? 'quiet' : 'warning';
}

/** Every wait says what it waits for. */
function describeNow(screen: Screen, running: readonly LiveTurn[]): string {
  const [turn] = running;
  if (running.length > 1) return words.status.severalSpeaking(running.map((each) => nameOf(screen, each)));
  if (turn !== undefined) return describeTurn(screen, turn);
  const phase = phaseOf(screen.conversation);
  switch (phase.kind) {
    case 'paused':
      return words.paused(phase.reason).replace(/\.$/, '');
    case 'waiting':
      return phase.named
        ? words.status.waitingFor(phase.memberIds.map((id) => speakerOf(screen, id).name))
        : words.status.waitingForYou;
    case 'idle':
    case 'running': {
      const [next] = screen.conversation.queue;
      return next === undefined ? words.status.ready : words.status.starting(nameOf(screen, next));
    }
  }
}

function describeTurn(screen: Screen, turn: LiveTurn): string {
  const name = nameOf(screen, turn);
  const { pause } = screen.conversation;
  if (pause?.kind === 'cancelled') return words.status.stopping(name);
  const doing = describeWork(screen, turn, name);
  return pause === null ? doing : `${doing}, ${words.status.pausing}`;
}

function describeWork(screen: Screen, turn: LiveTurn, name: string): string {
  const question = screen.permissions.find(({ turnId }) => turnId === turn.turnId);
  if (question !== undefined) return words.status.asking(name, question.name);
  if (turn.retry !== null) return words.status.retrying(name);
  const tool = turn.tools.at(-1);
  if (tool !== undefined) return words.status.usingTool(name, tool.name);
  return turn.preview === '' ? words.status.starting(name) : words.status.speaking(name);
}

function describeQueue(screen: Screen): string[] {
  const names = screen.conversation.queue.map(({ memberId }) => speakerOf(screen, memberId).name);
  if (names.length === 0) return [];
  return [words.status.next(names.slice(0, NAMES_SHOWN), Math.max(0, names.length - NAMES_SHOWN))];
}

function describeElapsed(running: readonly LiveTurn[], now: number): string[] {
  if (running.length === 0) return [];
  const since = Math.min(...running.map(({ startedAt }) => startedAt));
  const seconds = Math.max(0, Math.floor((now - since) / 1000));
  return [formatDuration(seconds * 1000)];
}

function describeMoney({ limits, conversation }: Screen): string[] {
  const { usd } = conversation.counters;
  const spent = formatUsd(usd);
  const isPartial = conversation.usage.total.prices.unknown > 0;
  const unknown = isPartial && limits.usd !== undefined ? [words.status.someUnpriced] : [];
  if (limits.usd !== undefined) return [words.status.ofCap(spent, formatUsd(limits.usd)), ...unknown];
  return usd > 0 ? [spent] : [];
}

function describeTokens({ limits, conversation }: Screen): string[] {
  const { tokens } = conversation.counters;
  const count = formatCount(tokens);
  if (limits.tokens !== undefined)
    return [words.status.tokens(words.status.ofCap(count, formatCount(limits.tokens)))];
  return tokens > 0 ? [words.status.tokens(count)] : [];
}

function describeTurnCount({ limits, conversation }: Screen): string[] {
  const { length } = conversation.counters.speakers;
  return length > 0 ? [words.status.turns(length, limits.agentTurns)] : [];
}

function describeHint(screen: Screen, running: readonly LiveTurn[]): string {
  if (running.length > 0) return words.status.escStops;
  return screen.conversation.pause === null ? '' : words.status.enterContinues;
}

function nameOf(screen: Screen, { memberId }: Pick<LiveTurn, 'memberId'>): string {
  return speakerOf(screen, memberId).name;
}
