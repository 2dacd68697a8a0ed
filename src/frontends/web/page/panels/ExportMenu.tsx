import './panelWords.js';
import { useState } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';
import { explainRefusal } from '../state/alerts.js';
import { language } from '../state/language.js';
import type { PanelProps } from './PanelProps.js';
import { EXPORTS, type SavedFormat, saveExport } from './saveExport.js';
import './find.css';

const MENU_ID = 'export-menu';

/** Space between the button and its menu. */
const GAP = 4;

/** Puts the menu below its button, which is in another row of the header when there is little room. */
function placeMenu({ currentTarget }: { readonly currentTarget: HTMLElement }): void {
  const { bottom, right } = currentTarget.getBoundingClientRect();
  const menu = document.getElementById(MENU_ID);
  if (menu === null) return;
  menu.style.insetBlockStart = `${bottom + GAP}px`;
  menu.style.insetInlineEnd = `${Math.max(GAP, document.documentElement.clientWidth - right)}px`;
}

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
      <button type="button" class="button" popovertarget={MENU_ID} onClick={placeMenu}>
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
