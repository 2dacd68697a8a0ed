import { useState } from 'preact/hooks';
import type { NotRecorded } from '../../../../models/FileChange.js';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { sanitizeFileName, sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { ChangedFileShown, ChangeUnit, FileChanges } from '../../wire.js';
import { call } from '../api.js';
import { canAct } from '../state/access.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { formatPlace } from '../state/place.js';
import { PatchView } from './PatchView.js';
import { Gradually, PanelContent, type PanelProps, Pending, useAnswer } from './panelParts.js';
import { panelWords as words } from './panelWords.js';
import { UndoOrApply } from './UndoOrApply.js';
import './panels.css';

/** As many as are shown at once: the newest turns, and the first files. */
const [SEEN_UNITS, SEEN_FILES] = [5, 100];

/** Files that a turn changed, or the whole conversation, with their lines. */
export function ChangesPanel({ conversation, turn }: PanelProps) {
  const { id } = conversation;
  const lastRecord = conversation.rows.value.findLast(({ block }) => block.kind === 'files');
  const answer = useAnswer(`${id} ${turn ?? ''}`, lastRecord?.seq ?? 0, (signal) =>
    call('changes', { params: { id }, query: turn === undefined ? {} : { turn }, signal }),
  );
  return (
    <PanelContent>
      <Scopes conversation={conversation} turn={turn} />
      {answer.value === undefined ? (
        <Pending {...answer} />
      ) : (
        <Changes conversation={conversation} turn={turn} changes={answer.value} />
      )}
    </PanelContent>
  );
}

interface ScopeProps {
  readonly conversation: OpenConversation;
  readonly turn: string | undefined;
}

function Scopes({ conversation, turn }: ScopeProps) {
  const { scopes, thisTurn, whole } = words.webPanels.changes;
  const last = turn ?? findLastRecorded(conversation);
  const placeOf = (named?: string) =>
    formatPlace({ conversation: conversation.id, panel: 'changes', turn: named });
  return (
    <nav class="scopes" aria-label={scopes}>
      {last !== undefined && (
        <a href={placeOf(last)} aria-current={turn === undefined ? undefined : 'true'}>
          {`${thisTurn} (${sanitizeToOneLine(last)})`}
        </a>
      )}
      <a href={placeOf()} aria-current={turn === undefined ? 'true' : undefined}>
        {whole}
      </a>
    </nav>
  );
}

/** The last turn of which changes were recorded, among the rows that are loaded. */
function findLastRecorded({ rows }: OpenConversation): string | undefined {
  for (const { block } of rows.value.toReversed())
    if (block.kind === 'files' && block.record.files.length > 0 && block.turns[0] !== undefined)
      return block.turns[0].turnId;
  return undefined;
}

function Changes({ conversation, turn, changes }: ScopeProps & { readonly changes: FileChanges }) {
  const { files, units, isReportedOnly, reason, unlisted, inCopies } = changes;
  const text = words.webPanels.changes;
  const placeOf = (name: string) =>
    formatPlace({ conversation: conversation.id, panel: 'changes', turn: name });
  const copies = inCopies.length > 0 && (
    <p class="panel-note">
      {text.inCopies}
      {inCopies.map((name) => (
        <a key={name} href={placeOf(name)}>
          {sanitizeToOneLine(name)}
        </a>
      ))}
    </p>
  );
  if (files.length === 0)
    return (
      <>
        <p class="panel-note">
          {turn === undefined ? text.none : text.noneInTurn(sanitizeToOneLine(turn))}
          {reason !== undefined && ` ${describeReason(reason)}`}
        </p>
        {copies}
      </>
    );
  const added = files.reduce((sum, file) => sum + file.added, 0);
  const removed = files.reduce((sum, file) => sum + file.removed, 0);
  return (
    <>
      <p class="changes-total">
        <strong>{text.total(formatNumber(files.length + unlisted))}</strong>
        <ChangedLines added={added} removed={removed} />
      </p>
      {isReportedOnly && (
        <p class="warning">
          {text.reportedOnly}
          {reason !== undefined && ` ${describeReason(reason)}`}
        </p>
      )}
      <ul class="units">
        <Gradually
          items={units.toReversed()}
          most={SEEN_UNITS}
          show={(unit) => (
            <Unit
              key={unit.name}
              unit={unit}
              href={turn === undefined ? placeOf(firstNameOf(unit)) : undefined}
              conversation={turn === undefined ? undefined : conversation}
            />
          )}
        />
      </ul>
      <ul class="file-list">
        <Gradually
          items={files}
          most={SEEN_FILES}
          show={(file) => (
            <ChangedFile key={file.path} file={file} isOneTurn={turn !== undefined} placeOf={placeOf} />
          )}
        />
      </ul>
      {unlisted > 0 && <p class="panel-note">{text.unlisted(formatNumber(unlisted))}</p>}
      {copies}
    </>
  );
}

interface UnitProps {
  readonly unit: ChangeUnit;
  /** The way to it, where it is one of several. */
  readonly href: string | undefined;
  /** The conversation to act on, where it is the only one. */
  readonly conversation: OpenConversation | undefined;
}

function Unit({ unit, href, conversation }: UnitProps) {
  const { memberName, name, copyOf, isUndone, isLate } = unit;
  const text = words.webPanels.changes;
  const label = sanitizeToOneLine(text.by(memberName, name));
  const mayAct = conversation !== undefined && canAct.value && !conversation.isReadOnly.value;
  const facts = [
    ...(copyOf === undefined ? [] : [text.inCopy(sanitizeToOneLine(copyOf))]),
    ...(isUndone ? [text.undone] : []),
    ...(isLate ? [words.fileRecords.late] : []),
  ];
  return (
    <li>
      {href === undefined ? label : <a href={href}>{label}</a>}
      {facts.map((fact) => (
        <span key={fact} class="unit-fact">
          {fact}
        </span>
      ))}
      {mayAct && !isUndone && copyOf === undefined && (
        <UndoOrApply conversation={conversation} unit={firstNameOf(unit)} kind="undo" />
      )}
      {mayAct && copyOf !== undefined && name.startsWith('turn-') && (
        <UndoOrApply conversation={conversation} unit={firstNameOf(unit)} kind="apply" />
      )}
    </li>
  );
}

/** The reason why nothing was recorded, as the notice in the log says it. */
function describeReason(reason: NotRecorded): string {
  return words.notices['files-not-recorded']({ type: 'notice', code: 'files-not-recorded', reason });
}

/** Turns that ran at once are one unit; any of their names stands for it. */
function firstNameOf({ name }: ChangeUnit): string {
  return name.split(', ')[0] ?? name;
}

const LETTERS = { add: 'A', update: 'M', delete: 'D' } as const;

interface ChangedFileProps {
  readonly file: ChangedFileShown;
  /** The panel is about one turn: its name need not stand everywhere. */
  readonly isOneTurn: boolean;
  readonly placeOf: (unit: string) => string;
}

/** A file that changed: one line, which opens if lines were recorded. */
function ChangedFile({ file, isOneTurn, placeOf }: ChangedFileProps) {
  const [isOpen, setOpen] = useState(false);
  if (file.parts.length === 0)
    return (
      <li class="file">
        <FileHead file={file} isOneTurn={isOneTurn} />
      </li>
    );
  return (
    <li class="file">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <FileHead file={file} isOneTurn={isOneTurn} />
        </summary>
        {isOpen &&
          file.parts.map(({ unit, patch }) => (
            <div key={unit}>
              {!isOneTurn && file.parts.length > 1 && (
                <a class="part-unit" href={placeOf(unit.split(', ')[0] ?? unit)}>
                  {sanitizeToOneLine(unit)}
                </a>
              )}
              <PatchView patch={patch} label={sanitizeToOneLine(words.joining.facts([file.path, unit]))} />
            </div>
          ))}
      </details>
    </li>
  );
}

function FileHead({ file, isOneTurn }: Omit<ChangedFileProps, 'placeOf'>) {
  const { path, change, added, removed, note, units } = file;
  const { kinds, notes } = words.webPanels.changes;
  const facts = [
    ...(isOneTurn ? [] : [sanitizeToOneLine(units.join(', '))]),
    ...(note === undefined ? [] : [notes[note]]),
  ];
  return (
    <span class="file-head">
      <span class="file-name">
        <abbr class={`change change-${change}`} title={kinds[change]}>
          {LETTERS[change]}
        </abbr>
        <span class="path">{sanitizeFileName(path)}</span>
      </span>
      <ChangedLines added={added} removed={removed} />
      {facts.map((fact) => (
        <span key={fact} class="file-fact">
          {fact}
        </span>
      ))}
    </span>
  );
}

/** `+14 −3`, and the same in words for those who listen. */
function ChangedLines({ added, removed }: { readonly added: number; readonly removed: number }) {
  const text = words.webPanels.changes;
  return (
    <span class="counts">
      {added > 0 && (
        <span class="added" role="img" aria-label={text.added(formatNumber(added))}>
          {`+${formatNumber(added)}`}
        </span>
      )}
      {removed > 0 && (
        <span class="removed" role="img" aria-label={text.removed(formatNumber(removed))}>
          {`−${formatNumber(removed)}`}
        </span>
      )}
    </span>
  );
}
