import { useMemo, useState } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { isMissingEnd, type PatchRow, readPatchRows } from './patchRows.js';

/** Rows that are shown at once. */
const SHOWN = 400;

const MARKS = { add: '+', remove: '−', context: ' ', place: '', note: '' } as const;

/** The lines of a diff, with their numbers; words that changed inside a line are marked. */
export function PatchView({ patch }: { readonly patch: string }) {
  const rows = useMemo(() => readPatchRows(patch), [patch]);
  const [shown, setShown] = useState(SHOWN);
  const { moreLines } = words.webPanels.changes;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard. */}
      <section class="patch" tabIndex={0} aria-label={words.fileRecords.diff}>
        <pre>
          {rows.slice(0, shown).map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows never change their places.
            <Row key={index} row={row} />
          ))}
        </pre>
      </section>
      {rows.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + 10 * SHOWN)}>
          {moreLines(formatNumber(Math.min(10 * SHOWN, rows.length - shown)))}
        </button>
      )}
    </>
  );
}

function Row({ row }: { readonly row: PatchRow }) {
  const { kind, before, after, words: pieces } = row;
  const number = after ?? before;
  if (isMissingEnd(row)) return <span class="row note">{words.webPanels.changes.noLineEnd}</span>;
  return (
    <span class={`row ${kind}`}>
      {number !== undefined && <span class="line-number">{number}</span>}
      {number !== undefined && <span class="mark">{MARKS[kind]}</span>}
      <span class="text">
        {pieces.map(({ text, isMarked }) => (isMarked ? <mark>{text}</mark> : text))}
        {'\n'}
      </span>
    </span>
  );
}
