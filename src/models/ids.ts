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
