import './panelWords.js';
import { useState } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';
import { placeMenu } from '../parts/placeMenu.js';
import { explainRefusal } from '../state/alerts.js';
import { language } from '../state/language.js';
import type { PanelProps } from './PanelProps.js';
import { EXPORTS, type SavedFormat, saveExport } from './saveExport.js';
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
