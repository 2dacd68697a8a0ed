import { useState } from 'preact/hooks';
import type { Language } from '../../../../models/Language.js';
import { addressOf, ownHeaders, readRefusal } from '../api.js';
import { placeMenu } from '../parts/controls.js';
import { explainRefusal } from '../state/alerts.js';
import { language } from '../state/language.js';
import type { PanelProps } from './panelParts.js';
import { panelWords as words } from './panelWords.js';
import './find.css';

const MENU_ID = 'export-menu';

/** Saves the conversation as a file, in one of the formats of `huddle export`. */
export function ExportMenu({ conversation }: PanelProps) {
  const text = words.webPanels.export;
  const [note, setNote] = useState('');
  const save = async (format: SavedFormat) => {
    setNote(words.webPanels.loading);
    try {
      setNote(text.saved(await saveExport(conversation.id, format, language.value)));
    } catch (error) {
      setNote(explainRefusal(error));
    }
  };
  return (
    <>
      <button
        type="button"
        class="button"
        popovertarget={MENU_ID}
        onClick={({ currentTarget }) => placeMenu(MENU_ID, currentTarget)}
      >
        {text.title}
      </button>
      <div id={MENU_ID} popover="auto" class="menu export-menu">
        {EXPORTS.map((format) => (
          <button key={format} type="button" class="button" onClick={() => void save(format)}>
            {text.formats[format]}
          </button>
        ))}
        <p role="status">{note}</p>
      </div>
    </>
  );
}

const EXPORTS = ['md', 'html', 'json', 'jsonl'] as const;

type SavedFormat = (typeof EXPORTS)[number];

/** Saves a conversation as the browser saves files, and gives the name. A link would not carry the key of this browser. */
async function saveExport(id: string, format: SavedFormat, language: Language): Promise<string> {
  const response = await fetch(addressOf('export', { params: { id }, query: { format, language } }), {
    headers: ownHeaders(),
  });
  if (!response.ok) throw await readRefusal(response);
  const name = readFileName(response) ?? `huddle-${id}.${format}`;
  const link = document.createElement('a');
  // Its own type would be shown by some browsers.
  const content = new Blob([await response.arrayBuffer()], { type: 'application/octet-stream' });
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
  return name;
}

function readFileName({ headers }: Response): string | undefined {
  return /filename="([\w.-]+)"/u.exec(headers.get('content-disposition') ?? '')?.[1];
}
