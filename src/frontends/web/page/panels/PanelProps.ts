import type { OpenConversation } from '../state/OpenConversation.js';

/** Properties of a panel: the conversation beside it, and the turn it is about if the address names one. */
export interface PanelProps {
  readonly conversation: OpenConversation;
  readonly turn?: string;
}
