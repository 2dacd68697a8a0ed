import type { ShownFiles } from '../../../../presentation/describeFileRecord.js';
import { Counts } from './Counts.js';

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
