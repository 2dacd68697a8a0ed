import type { PanelProps } from './PanelProps.js';

export function WhyPanel({ conversation }: PanelProps) {
  return <pre>{conversation.id}</pre>;
}
