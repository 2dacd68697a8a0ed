import type { ComponentChildren } from 'preact';
import { formatTime } from '../../../../catalogue/formats.js';
import { marksOf } from '../../../../catalogue/members.js';
import { words } from '../../../../catalogue/words.js';
import type { ShownMember } from '../../../../presentation/Block.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';

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
      {marksOf(member).map((mark) => (
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
