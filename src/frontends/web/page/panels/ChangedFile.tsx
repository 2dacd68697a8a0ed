import { useState } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { sanitizeFileName, sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { ChangedFileShown } from '../../wire.js';
import { PatchView } from './PatchView.js';

const LETTERS = { add: 'A', update: 'M', delete: 'D' } as const;

interface ChangedFileProps {
  readonly file: ChangedFileShown;
  /** The panel is about one turn: its name need not stand everywhere. */
  readonly isOneTurn: boolean;
  readonly placeOf: (unit: string) => string;
}

/** A file that changed: one line, which opens if lines were recorded. */
export function ChangedFile({ file, isOneTurn, placeOf }: ChangedFileProps) {
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
export function ChangedLines({ added, removed }: { readonly added: number; readonly removed: number }) {
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
