import { describeWish, subjectOf } from '../../../../catalogue/permissionRequests.js';
import { words } from '../../../../catalogue/words.js';
import type { FilesBlock, PermissionRecord, ToolCall, TurnWork } from '../../../../presentation/Block.js';
import { describeFileRecord } from '../../../../presentation/describeFileRecord.js';
import { describeRecord } from '../../../../presentation/describeTurn.js';
import { sanitizeFileName, sanitizeForTerminal, sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { Counts } from './Counts.js';
import { FileRows } from './FileRows.js';
import { Fold } from './Fold.js';

/** More than are looked through in a row; the panel has all. */
const MOST_FILES = 50;

interface WorkFoldProps {
  readonly turn: TurnWork;
  readonly files?: FilesBlock | undefined;
}

/** The work of an agent in a turn besides talking: `3 tools · 2 files +14 −3`, and behind it every step. */
export function WorkFold({ turn, files }: WorkFoldProps) {
  const { turnId, tools, permissions } = turn;
  const shown = files && describeFileRecord(files, { most: MOST_FILES, isHeaded: true });
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
      <span class="mark">?</span> {sanitizeToOneLine(describeWish(request))}{' '}
      <code>{sanitizeForTerminal(subjectOf(request))}</code> {describeRecord(request)}
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
