import { formatSeconds } from '../../../../catalogue/formats.js';
import { words } from '../../../../catalogue/words.js';
import { describeWaiting } from '../../../../presentation/describeTurn.js';
import { doingOf, type LiveTurn } from '../../../../presentation/LiveTurn.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { useNow } from '../parts/useNow.js';
import { RichText } from '../text/RichText.js';
import { useLogView } from './LogView.js';
import { RowHead } from './RowHead.js';
import { WorkFold } from './WorkFold.js';

/** A turn that runs: who, since when, what it does, and its text as it is written. */
export function RunningRow({ turn }: { readonly turn: LiveTurn }) {
  const { conversation } = useLogView();
  const { member, turnId, startedAt, todo } = turn;
  const { running } = conversation.telling.value.conversation;
  const isBlind = running.some((open) => open.turnId === turnId && open.blindRound !== undefined);
  const text = isBlind ? '' : conversation.textOf(turnId).value;
  const done = todo.filter((item) => item.done).length;
  return (
    <>
      <RowHead
        member={member}
        about={
          <>
            {describeDoing(turn, text)} · <Seconds since={startedAt} />
          </>
        }
      />
      {isBlind ? <p class="hint">{words.webLog.blindRound}</p> : null}
      {text === '' ? null : <RichText text={text} isGrowing />}
      {todo.length === 0 ? null : <p class="hint">{words.webLog.plan(done, todo.length)}</p>}
      <WorkFold turn={turn} />
    </>
  );
}

/** The telling of the page does not hold the text of running turns: it comes apart from the facts. */
function describeDoing(turn: LiveTurn, text: string): string {
  const [doing, about] = doingOf({ ...turn, preview: text });
  if (doing === 'elsewhere') return sanitizeToOneLine(describeWaiting(turn.member.name, about));
  return words.webLog.doing[doing](sanitizeToOneLine(about));
}

/** A clock of its own, so that a second is not a row. */
function Seconds({ since }: { readonly since: number }) {
  const now = useNow(true);
  return <span class="seconds">{formatSeconds(Math.max(0, now - since))}</span>;
}
