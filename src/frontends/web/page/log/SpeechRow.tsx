import { formatCount, formatDuration, formatMoney } from '../../../../catalogue/formats.js';
import { describeWish, subjectOf } from '../../../../catalogue/permissionRequests.js';
import { unquotedStderr } from '../../../../catalogue/tellings.js';
import type {
  FilesBlock,
  MessageBlock,
  PermissionRecord,
  ToldTurn,
  ToolCall,
  TurnBlock,
  TurnWork,
} from '../../../../presentation/Block.js';
import { describeFileRecord } from '../../../../presentation/describeFileRecord.js';
import { describeRecord, draftOf, faultOf, nameAuthor } from '../../../../presentation/describeTurn.js';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { sanitizeFileName, sanitizeForTerminal, sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { CopyButton } from '../parts/controls.js';
import { pageWords as words } from '../state/language.js';
import { formatPlace } from '../state/place.js';
import { RichText } from '../text/RichText.js';
import type { SpeechItem } from './logItems.js';
import { Counts, FileRows, Fold, RowHead, useLogView } from './rowParts.js';

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
      <RowHead member={nameAuthor(member, words)} to={message.routing?.resolvedAddressees ?? []} at={at}>
        <CopyButton text={message.content} label={words.webLog.copyText} />
      </RowHead>
      <RichText text={text} />
    </>
  );
}

/** A turn that failed, was stopped or said nothing. */
function BrokenTurn({ block: { turn, at } }: { readonly block: TurnBlock }) {
  const { member, result, turnId } = turn;
  const [what, hint] = faultOf(turn, words);
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
      <span>{formatDuration(milliseconds, { short: true }, words)}</span>
      {usage === undefined ? null : (
        <span>{words.telling.tokens(formatCount(usage.inputTokens + usage.outputTokens))}</span>
      )}
      {usage?.usd ? <span>{formatMoney(usage.usd, words)}</span> : null}
    </footer>
  );
}

/** More than are looked through in a row; the panel has all. */
const MOST_FILES = 50;

interface WorkFoldProps {
  readonly turn: TurnWork;
  readonly files?: FilesBlock | undefined;
}

/** The work of an agent in a turn besides talking: `3 tools · 2 files +14 −3`, and behind it every step. */
export function WorkFold({ turn, files }: WorkFoldProps) {
  const { turnId, tools, permissions } = turn;
  const shown = files && describeFileRecord(files, { most: MOST_FILES, isHeaded: true }, words);
  const parts = [
    ...(tools.length > 0 ? [words.webLog.tools(tools.length)] : []),
    ...(shown?.files ? [shown.files] : turn.files.length > 0 ? [words.webLog.files(turn.files.length)] : []),
    ...(files?.copyOf ? [sanitizeToOneLine(words.fileRecords.inCopy(files.copyOf.name))] : []),
    ...(permissions.length > 0 ? [words.webLog.requests(permissions.length)] : []),
  ];
  if (parts.length === 0) return null;
  const summary = (
    <>
      {parts.join(' · ')} <Counts counts={shown?.counts ?? []} />
    </>
  );
  return (
    <Fold name={`work-${turnId}`} summary={summary}>
      {() => (
        <ul class="steps">
          {permissions.map((request) => (
            <PermissionStep key={request.requestId} request={request} />
          ))}
          {tools.map((call) => (
            <ToolStep key={call.number} call={call} />
          ))}
          {shown ? (
            <li>
              <FileRows files={shown} />
            </li>
          ) : (
            turn.files.map(({ path, change }, index) => (
              <li key={index}>
                {words.telling.fileChange[change]} <code>{sanitizeFileName(path)}</code>
              </li>
            ))
          )}
        </ul>
      )}
    </Fold>
  );
}

function PermissionStep({ request }: { readonly request: PermissionRecord }) {
  return (
    <li>
      <span class="mark">?</span> {sanitizeToOneLine(describeWish(request, words))}{' '}
      <code>{sanitizeForTerminal(subjectOf(request))}</code> {describeRecord(request, words)}
    </li>
  );
}

function ToolStep({ call: { name, input, ok, result = '' } }: { readonly call: ToolCall }) {
  const mark = ok === undefined ? '…' : ok ? '✓' : '✗';
  return (
    <li>
      <span class={ok === false ? 'mark failed' : 'mark'}>{mark}</span> <b>{sanitizeToOneLine(name)}</b>{' '}
      <code>{sanitizeToOneLine(input)}</code>
      {result.trim() === '' ? null : <pre>{sanitizeForTerminal(result)}</pre>}
    </li>
  );
}
