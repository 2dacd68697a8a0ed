import { type ComponentChildren, createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { formatTime } from '../../../../catalogue/formats.js';
import { marksOf } from '../../../../catalogue/members.js';
import type { ShownMember } from '../../../../presentation/Block.js';
import type { ShownCount, ShownFiles } from '../../../../presentation/describeFileRecord.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { pageWords as words } from '../state/language.js';
import type { OpenConversation } from '../state/OpenConversation.js';

/** The conversation that the rows belong to, and what of them is unfolded: rows come and go while they are scrolled. */
export interface LogView {
  readonly conversation: OpenConversation;
  readonly unfolded: Map<string, boolean>;
}

export const LogContext = createContext<LogView | undefined>(undefined);

export function useLogView(): LogView {
  const view = useContext(LogContext);
  if (view === undefined) throw new Error('No log');
  return view;
}

/** Whether something is unfolded, also after its row was away. */
function useUnfolded(key: string, isUnfoldedFirst: boolean): readonly [boolean, (isOpen: boolean) => void] {
  const { unfolded } = useLogView();
  const [isOpen, setOpen] = useState(unfolded.get(key) ?? isUnfoldedFirst);
  return [
    isOpen,
    (now) => {
      unfolded.set(key, now);
      setOpen(now);
    },
  ];
}

interface RowHeadProps {
  readonly member: ShownMember;
  /** Names of the members that it goes to. */
  readonly to?: readonly string[];
  /** Its outcome or what it does. */
  readonly about?: ComponentChildren;
  readonly at?: number;
  /** Controls of the row. */
  readonly children?: ComponentChildren;
}

/** The first line of a row: who speaks to whom, and when. */
export function RowHead({ member, to = [], about, at, children }: RowHeadProps) {
  return (
    <header>
      <h2>
        <b>{sanitizeToOneLine(member.name)}</b>
        {to.length === 0 ? null : <span> → {sanitizeToOneLine(words.joining.list(to))}</span>}
      </h2>
      {marksOf(member, words).map((mark) => (
        <span key={mark} class="mark-unsafe">
          {mark}
        </span>
      ))}
      {about === undefined ? null : <span class="about">{about}</span>}
      <span class="aside">
        {children}
        {at === undefined ? null : <RowTime at={at} />}
      </span>
    </header>
  );
}

/** `14:02:09`; the day is in its title. */
export function RowTime({ at }: { readonly at: number }) {
  const time = formatTime(at);
  return (
    <time dateTime={new Date(at).toISOString()} title={time}>
      {time.split(' ')[1]}
    </time>
  );
}

interface FoldProps {
  /** By which it is known that it is open. */
  readonly name: string;
  readonly summary: ComponentChildren;
  readonly isOpenFirst?: boolean;
  /** Only made when it is open. */
  readonly children: () => ComponentChildren;
}

/** Something that is only shown when it is asked for. */
export function Fold({ name, summary, isOpenFirst = false, children }: FoldProps) {
  const [isOpen, setOpen] = useUnfolded(name, isOpenFirst);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen ? children() : null}
    </details>
  );
}

/** The files of a record, a line each: `M src/upload.ts +12 −3`, and what else is to be known. */
export function FileRows({ files: { rows, notes } }: { readonly files: ShownFiles }) {
  return (
    <>
      <ul class="files">
        {rows.map(({ mark, path, counts }) => (
          <li key={path}>
            <span class={`mark mark-${mark}`}>{mark}</span> <code>{path}</code> <Counts counts={counts} />
          </li>
        ))}
      </ul>
      {notes.map((note) => (
        <p key={note} class="hint">
          {note}
        </p>
      ))}
    </>
  );
}

/** Lines added and removed: `+14 −3`. */
export function Counts({ counts }: { readonly counts: readonly ShownCount[] }) {
  return (
    <>
      {counts.map(({ kind, text }) => (
        <span key={kind} class={kind}>
          {text}{' '}
        </span>
      ))}
    </>
  );
}
