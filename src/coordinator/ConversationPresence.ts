/** The people and machines that share a conversation, as front ends see them. */
export interface ConversationPresence {
  /** The role of a shared store that this process is. */
  readonly role: string;
  /** Name of the person of the team that this process speaks as. Undefined: it can read, not speak. */
  readonly speaker: string | undefined;
  /** The process that decides and writes the conversation. Null: none does. */
  readonly holder: Holder | null;
  /** Roles that follow, each once; this one too, if it follows. */
  readonly here: readonly string[];
  /** Milliseconds for which the store has not answered; null: it answers. */
  readonly silence: number | null;
  /** Calls the listener with what happens to them from now on. Returns the function that ends this. */
  subscribe(listener: (news: PresenceChange) => void): () => void;
}

/** The process that decides and writes a conversation, or did so last. */
export interface Holder {
  readonly role: string;
  readonly host: string;
  /** It is this process. */
  readonly isHere: boolean;
  /** It is gone without having closed the conversation. */
  readonly isGone: boolean;
}

/** Whether a process runs a conversation that others share: this one, or one that is not gone. */
export function isHeld({ holder }: Pick<ConversationPresence, 'holder'>): boolean {
  return holder !== null && (holder.isHere || !holder.isGone);
}

export type PresenceChange =
  /** Holder, followers or the silence of the store are others than before. */
  | { readonly kind: 'changed' }
  /** The holder is gone, or has closed the conversation. Speaking makes this process the holder. */
  | { readonly kind: 'holder-gone' | 'holder-left'; readonly role: string }
  /**
   * The store did not answer for so long that others may take over: the turns of this process were stopped, if any ran.
   * `unsaved` is what was said meanwhile.
   */
  | { readonly kind: 'stopped'; readonly hadTurns: boolean; readonly unsaved: readonly string[] }
  | { readonly kind: 'back' }
  /** Another process holds the conversation now, and this one follows. */
  | { readonly kind: 'lost'; readonly holder: Holder | null };
