import type { PanelProps } from './PanelProps.js';

export function CostPanel({ conversation }: PanelProps) {
  return <pre>{conversation.id}</pre>;
}
