import { sanitizeForTerminal } from '../utils/sanitize.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for between tags and inside quoted attributes. What HTML does not allow, or would turn around or hide, is shown. */
export function escapeHtml(text: string): string {
  return sanitizeForTerminal(text.toWellFormed().replace(/\r\n?/gu, '\n')).replace(
    /[&<>"']/g,
    (character) => ENTITIES[character] ?? character,
  );
}
