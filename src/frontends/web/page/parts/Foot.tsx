import { formatCount, formatMoney } from '../../../../catalogue/formats.js';
import { describePause } from '../../../../catalogue/tellings.js';
import { askedFor, canContinue, canRetry, phaseOf } from '../../../../conversation/questions.js';
import type { Limits } from '../../../../models/Team.js';
import { namesIn, type Telling } from '../../../../presentation/Telling.js';
import { resumeCommand } from '../../folds.js';
import { call } from '../api.js';
import { canAct, me } from '../state/access.js';
import { complain } from '../state/alerts.js';
import { pageWords as words } from '../state/language.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { AnswerButton } from './AnswerButton.js';
import { Approvals } from './Approvals.js';
import { Composer } from './Composer.js';
import { CopyField } from './Dialog.js';
import { formatLimit } from './describeSession.js';
import { useFocusReturn } from './useFocus.js';
import '../styles/foot.css';

/** The foot of a conversation: requests, why nothing runs, and the field for messages. */
export function Foot({ conversation }: { readonly conversation: OpenConversation }) {
  return (
    <>
      <Approvals conversation={conversation} />
      <Standing conversation={conversation} />
      <Speaking conversation={conversation} />
    </>
  );
}

function Speaking({ conversation }: { readonly conversation: OpenConversation }) {
  if (conversation.isReadOnly.value) return <ReadOnlyNote conversation={conversation} />;
  return me.value?.role === 'full' ? <Composer conversation={conversation} /> : null;
}

/** The reason why nothing runs, and how to continue: a pause with its limit, turns that failed, people who are asked. */
function Standing({ conversation }: { readonly conversation: OpenConversation }) {
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
  const { id, limits, isReadOnly } = conversation;
  const { conversation: state } = telling;
  const mayAct = canAct.value && !isReadOnly.value;
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
function describeStanding(telling: Telling): string | undefined {
  const { conversation: state } = telling;
  const nameOf = namesIn(telling);
  const phase = phaseOf(state);
  if (phase.kind === 'running') return state.pause === null ? undefined : words.web.willPause;
  if (phase.kind === 'paused') return describePause(phase.reason, words);
  const last = state.unfinished.at(-1);
  if (last !== undefined) return words.sessionStatus.unfinished(last.turn.turnId, nameOf(last.turn.memberId));
  const awaited = askedFor(state);
  return awaited.length === 0 ? undefined : words.sessionStatus.awaited(awaited.map(nameOf));
}

/** The counters of the limits that count: `3 of 20 turns`, `$0.12 of $5`. */
function countersOf({ conversation }: Telling, limits: Partial<Limits>): readonly string[] {
  const { counters } = conversation;
  const { web } = words;
  return [
    ...(limits.agentTurns === undefined ? [] : [web.turnsOf(counters.turns.count, limits.agentTurns)]),
    ...(limits.usd === undefined ? [] : [web.of(formatMoney(counters.usd, words), formatLimit(limits.usd))]),
    ...(limits.tokens === undefined
      ? []
      : [words.telling.tokens(web.of(formatCount(counters.tokens), formatCount(limits.tokens)))]),
  ];
}

/** Stands where the composer was: which process has the session open, or the command that continues it. */
function ReadOnlyNote({ conversation }: { readonly conversation: OpenConversation }) {
  const { openIn, folder, id } = conversation.summary.value;
  if (openIn !== undefined) return <p class="read-only">{words.web.openIn(openIn)}</p>;
  return (
    <div class="read-only">
      <p>{words.web.continueElsewhere}</p>
      <CopyField label={words.web.command} text={resumeCommand(id, folder)} />
    </div>
  );
}
