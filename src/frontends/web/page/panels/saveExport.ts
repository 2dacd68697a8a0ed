import type { Language } from '../../../../models/Language.js';
import { addressOf, ownHeaders, readRefusal } from '../api.js';

export const EXPORTS = ['md', 'html', 'json', 'jsonl'] as const;

export type SavedFormat = (typeof EXPORTS)[number];

/** Saves a conversation as the browser saves files, and gives the name. A link would not carry the key of this browser. */
export async function saveExport(id: string, format: SavedFormat, language: Language): Promise<string> {
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
