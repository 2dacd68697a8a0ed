import { formatCount, formatDuration, formatMoney } from '../../../../catalogue/formats.js';
import { unquotedStderr } from '../../../../catalogue/tellings.js';
import { words } from '../../../../catalogue/words.js';
import type { MessageBlock, ToldTurn, TurnBlock } from '../../../../presentation/Block.js';
import { draftOf, faultOf } from '../../../../presentation/describeTurn.js';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { sanitizeForTerminal } from '../../../../utils/sanitize.js';
import { formatPlace } from '../state/place.js';
import { CopyButton } from '../text/CopyButton.js';
import { RichText } from '../text/RichText.js';
import { Fold } from './Fold.js';
import { useLogView } from './LogView.js';
import type { SpeechItem } from './logItems.js';
import { RowHead } from './RowHead.js';
import { WorkFold } from './WorkFold.js';

/** A message, or a turn that did not become one, with the work behind it. */
export function SpeechRow({ item }: { readonly item: SpeechItem }) {
  const { block, files } = item;
  return (
    <>
      {block.kind === 'message' ? <Message block={block} /> : <BrokenTurn block={block} />}
      {block.turn === undefined ? null : (
        <>
          <WorkFold turn={block.turn} files={files} />
          <TurnFacts turn={block.turn} hasFiles={files !== undefined || block.turn.files.length > 0} />
        </>
      )}
    </>
  );
}

function Message({ block: { message, member, text, at } }: { readonly block: MessageBlock }) {
  return (
    <>
      <RowHead member={member} to={message.routing?.resolvedAddressees ?? []} at={at}>
        <CopyButton text={message.content} label={words.webLog.copyText} />
      </RowHead>
      <RichText text={text} />
    </>
  );
}

/** A turn that failed, was stopped or said nothing. */
function BrokenTurn({ block: { turn, at } }: { readonly block: TurnBlock }) {
  const { member, result, turnId } = turn;
  const [what, hint] = faultOf(turn);
  const stderr = result.kind === 'failed' ? unquotedStderr(result.failure).join('\n') : '';
  const draft = draftOf(turn);
  return (
    <>
      <RowHead member={member} about={words.telling.outcomes[result.kind]} at={at} />
      {what === undefined ? null : <p class="failure">{sanitizeForTerminal(what)}</p>}
      {hint ? <p class="hint">{sanitizeForTerminal(hint)}</p> : null}
      {draft === '' ? null : (
        <Fold
          name={`draft-${turnId}`}
          summary={words.webLog.draft(formatNumber(draft.length))}
          isOpenFirst={what === undefined}
        >
          {() => (
            <div class="draft">
              <RichText text={draft} />
            </div>
          )}
        </Fold>
      )}
      {stderr === '' ? null : (
        <Fold name={`stderr-${turnId}`} summary="stderr">
          {() => <pre class="output">{sanitizeForTerminal(stderr)}</pre>}
        </Fold>
      )}
    </>
  );
}

/** Links to the panels, and what the turn took. */
function TurnFacts({ turn, hasFiles }: { readonly turn: ToldTurn; readonly hasFiles: boolean }) {
  const { conversation } = useLogView();
  const { turnId, milliseconds, usage } = turn;
  const addressOf = (panel: 'why' | 'changes') =>
    formatPlace({ conversation: conversation.id, panel, turn: turnId });
  return (
    <footer>
      <a href={addressOf('why')} title={words.webLog.why(turnId)}>
        {turnId}
      </a>
      {hasFiles ? (
        <a href={addressOf('changes')} title={words.webLog.changesOf(turnId)}>
          {words.webLog.changes}
        </a>
      ) : null}
      <span>{formatDuration(milliseconds, { short: true })}</span>
      {usage === undefined ? null : (
        <span>{words.telling.tokens(formatCount(usage.inputTokens + usage.outputTokens))}</span>
      )}
      {usage?.usd ? <span>{formatMoney(usage.usd)}</span> : null}
    </footer>
  );
}
