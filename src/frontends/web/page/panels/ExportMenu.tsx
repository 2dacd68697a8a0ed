import type { PanelProps } from './PanelProps.js';

/** The conversation as a file. */
export function ExportMenu({ conversation }: PanelProps) {
  return <span hidden>{conversation.id}</span>;
}
