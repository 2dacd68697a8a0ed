import type { PanelProps } from './PanelProps.js';

export function MembersPanel({ conversation }: PanelProps) {
  return <pre>{conversation.id}</pre>;
}
