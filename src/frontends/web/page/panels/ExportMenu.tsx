import { useState } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';
import { describeRefusal } from '../state/alerts.js';
import { language } from '../state/language.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { EXPORTS, type ExportFormat, saveExport } from './saveExport.js';
import './panels.css';

/** Saves the conversation as a file, in one of the formats of `huddle export`. */
export function ExportMenu({ conversation }: { readonly conversation: OpenConversation }) {
  const text = words.webPanels.export;
  const [note, setNote] = useState('');
  const save = async (format: ExportFormat) => {
    setNote(words.webPanels.loading);
    try {
      setNote(text.saved(await saveExport(conversation.id, format, language.value)));
    } catch (error) {
      setNote(describeRefusal(error));
    }
  };
  return (
    <details class="export">
      <summary class="button">{text.title}</summary>
      <ul class="menu">
        {EXPORTS.map((format) => (
          <li key={format}>
            <button type="button" class="button" onClick={() => void save(format)}>
              {text.formats[format]}
            </button>
          </li>
        ))}
      </ul>
      <p role="status" class="panel-note">
        {note}
      </p>
    </details>
  );
}
