import { useMemo, useState } from 'preact/hooks';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { MoreButton, ScrollArea } from './panelParts.js';
import { panelWords as words } from './panelWords.js';
import { isMissingEnd, type PatchRow, readPatchRows } from './patchRows.js';

/** Rows that are shown at once. */
const SHOWN = 400;

const MARKS = { add: '+', remove: '−', context: ' ', place: '', note: '' } as const;

interface PatchViewProps {
  readonly patch: string;
  /** The name of these lines, for those who listen. */
  readonly label: string;
  /** Long lines are prose, and go on below. */
  readonly isWrapped?: boolean;
}

/** The lines of a diff, with their numbers; words that changed inside a line are marked. */
export function PatchView({ patch, label, isWrapped = false }: PatchViewProps) {
  const rows = useMemo(() => readPatchRows(patch).filter(isShown), [patch]);
  const [shown, setShown] = useState(SHOWN);
  const { moreLines } = words.webPanels.changes;
  return (
    <>
      <ScrollArea class={isWrapped ? 'patch is-wrapped' : 'patch'} label={label}>
        <pre>
          {rows.slice(0, shown).map((row, index) => (
            <Row key={index} row={row} />
          ))}
        </pre>
      </ScrollArea>
      {rows.length > shown && (
        <MoreButton
          label={moreLines(formatNumber(Math.min(10 * SHOWN, rows.length - shown)))}
          onClick={() => setShown(shown + 10 * SHOWN)}
        />
      )}
    </>
  );
}

/** The place where a diff begins says nothing, unless it names a part of the file. */
function isShown({ kind, words: [first] }: PatchRow, index: number): boolean {
  return kind !== 'place' || index > 0 || first?.text !== '';
}

function Row({ row }: { readonly row: PatchRow }) {
  const { kind, before, after, words: pieces } = row;
  const number = after ?? before;
  if (isMissingEnd(row)) return <span class="patch-row note">{words.webPanels.changes.noLineEnd}</span>;
  if (kind === 'place') return <span class="patch-row place">{pieces[0]?.text || '⋯'}</span>;
  return (
    <span class={`patch-row ${kind}`}>
      {number !== undefined && <span class="line-number">{number}</span>}
      {number !== undefined && <span class="sign">{MARKS[kind]}</span>}
      <span class="line-text">
        {pieces.map(({ text, isMarked }) => (isMarked ? <mark>{text}</mark> : text))}
      </span>
    </span>
  );
}
