import type { PanelProps } from './PanelProps.js';

export function FindBar({ conversation }: PanelProps) {
  return <input type="search" aria-label={conversation.id} />;
}
