import type { PanelProps } from './PanelProps.js';

export function ChangesPanel({ conversation }: PanelProps) {
  return <pre>{conversation.id}</pre>;
}
