import { formatCount, formatMoney } from '../../../../catalogue/formats.js';
import { describePause } from '../../../../catalogue/tellings.js';
import { words } from '../../../../catalogue/words.js';
import { askedFor, canContinue, canRetry, phaseOf } from '../../../../conversation/questions.js';
import type { Limits } from '../../../../models/Team.js';
import { namesIn, type Telling } from '../../../../presentation/Telling.js';
import { call } from '../api.js';
import { canAct } from '../state/access.js';
import { complain } from '../state/alerts.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { AnswerButton } from './AnswerButton.js';
import { formatLimit } from './describeSession.js';
import { useFocusReturn } from './useFocusReturn.js';

/** The reason why nothing runs, and how to continue: a pause with its limit, turns that failed, people who are asked. */
export function Standing({ conversation }: { readonly conversation: OpenConversation }) {
  const telling = conversation.telling.value;
  const sentence = describeStanding(telling);
  if (sentence === undefined) return null;
  return <StandingBar conversation={conversation} telling={telling} sentence={sentence} />;
}

interface StandingBarProps {
  readonly conversation: OpenConversation;
  readonly telling: Telling;
  readonly sentence: string;
}

function StandingBar({ conversation, telling, sentence }: StandingBarProps) {
  const bar = useFocusReturn<HTMLDivElement>();
  const { id, limits, readOnly } = conversation;
  const { conversation: state } = telling;
  const mayAct = canAct.value && readOnly.value === undefined;
  const isPaused = state.pause !== null;
  const act = (what: 'resume' | 'retry') => () =>
    call('act', { params: { id }, body: { do: what } }).catch(complain);
  return (
    <div ref={bar} class={`standing ${isPaused ? 'paused' : 'idle'}`}>
      <p>
        {sentence}
        {isPaused && <span class="soft"> {countersOf(telling, limits).join(' · ')}</span>}
      </p>
      {mayAct && canContinue(state) && (
        <AnswerButton icon="play" kind="primary" label={words.web.continue} onClick={act('resume')} />
      )}
      {mayAct && canRetry(state) && state.running.length === 0 && (
        <AnswerButton icon="retry" label={words.web.retry} onClick={act('retry')} />
      )}
    </div>
  );
}

/** Absent while something runs, and when nothing is left to be done. */
export function describeStanding(telling: Telling): string | undefined {
  const { conversation: state } = telling;
  const nameOf = namesIn(telling);
  const phase = phaseOf(state);
  if (phase.kind === 'running') return state.pause === null ? undefined : words.web.willPause;
  if (phase.kind === 'paused') return describePause(phase.reason);
  const last = state.unfinished.at(-1);
  if (last !== undefined) return words.sessionStatus.unfinished(last.turn.turnId, nameOf(last.turn.memberId));
  const awaited = askedFor(state);
  return awaited.length === 0 ? undefined : words.sessionStatus.awaited(awaited.map(nameOf));
}

/** The counters of the limits that count: `3 of 20 turns`, `$0.12 of $5`. */
export function countersOf({ conversation }: Telling, limits: Partial<Limits>): readonly string[] {
  const { counters } = conversation;
  const { web } = words;
  return [
    ...(limits.agentTurns === undefined ? [] : [web.turnsOf(counters.turns.count, limits.agentTurns)]),
    ...(limits.usd === undefined ? [] : [web.of(formatMoney(counters.usd), formatLimit(limits.usd))]),
    ...(limits.tokens === undefined
      ? []
      : [words.telling.tokens(web.of(formatCount(counters.tokens), formatCount(limits.tokens)))]),
  ];
}
