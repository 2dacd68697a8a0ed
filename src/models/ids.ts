/** Ids are strings that must never be swapped; each kind is made in exactly one place. */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Made by ContextManager (`msg-1`, `msg-2`, …) and the same in context, log, events and screen. */
export type MessageId = Branded<'MessageId'>;
/** A member of a team; equals `speaker.roleId` of what the member says. */
export type MemberId = Branded<'MemberId'>;
/** Id of a turn: one run of one agent. */
export type TurnId = Branded<'TurnId'>;
/** Id of a stored conversation. */
export type ConversationId = Branded<'ConversationId'>;

/** N of `msg-N`; 0 for ids of another form. */
export function messageNumber(id: string): number {
  return Number(/^msg-(\d+)$/.exec(id)?.[1] ?? 0);
}

/** Sorts by the time it was made, and is short enough to type: `20261115-0212-9f3c`. */
export function createConversationId(now: number): ConversationId {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]/g, '');
  const random = crypto.getRandomValues(new Uint16Array(1))[0] ?? 0;
  const suffix = random.toString(16).padStart(4, '0');
  return `${stamp.slice(0, 8)}-${stamp.slice(9, 13)}-${suffix}` as ConversationId;
}
