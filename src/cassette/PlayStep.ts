import type {
  FilesRecorded,
  PermissionDecided,
  RecordedEvent,
  TurnActivity,
  TurnEnd,
  TurnStart,
} from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';

type EventOf<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { type: Type }>;

/** An act of a person, as the conversation is told it. */
export type PersonAct =
  | { readonly kind: 'say'; readonly event: EventOf<'message-added'> }
  | { readonly kind: 'pause' | 'resume' | 'retry' }
  | { readonly kind: 'cancel'; readonly drop: boolean }
  | { readonly kind: 'rename'; readonly title: string }
  | { readonly kind: 'decide'; readonly event: PermissionDecided };

/** Facts that were recorded when the conversation was opened, and those that were written into it before that. */
export interface Opening {
  /** The first, and not one of a conversation that was there already. */
  readonly isStart: boolean;
  /** Facts of a fork: they are in the log when it is opened. */
  readonly given: readonly RecordedEvent[];
  readonly facts: readonly RecordedEvent[];
}

/** A fact of a recording that does not follow from the facts before it: something has to happen for it. */
export type PlayStep =
  /** Everything that ran is gone, and the conversation is opened. */
  | { readonly kind: 'open'; readonly opening: Opening }
  | { readonly kind: 'act'; readonly act: PersonAct }
  /** Found by Huddle outside of the conversation: it is recorded as it is. */
  | { readonly kind: 'given'; readonly event: RecordedEvent }
  /** The changes of turns; what follows from them is worked out anew. */
  | { readonly kind: 'files'; readonly event: FilesRecorded }
  /** `nth`: of all activities of the turn, questions apart. */
  | { readonly kind: 'activity'; readonly event: TurnActivity; readonly nth: number }
  | { readonly kind: 'ask'; readonly event: TurnActivity; readonly decided: PermissionDecided | undefined }
  | { readonly kind: 'withdraw'; readonly event: PermissionDecided }
  /** Turns of a blind round end together: with the first of them, these. */
  | { readonly kind: 'end'; readonly event: TurnEnd; readonly together: readonly TurnId[] }
  | OwnStep;

/** A fact that the conversation records by itself, when its place is reached. */
export type OwnStep =
  /** `isEarly`: the turn was chosen before acts of people that stand before it. */
  | { readonly kind: 'start'; readonly event: TurnStart; readonly isEarly: boolean }
  /** A turn that ended without a start: stopped before that, or because its prompt does not fit. */
  | { readonly kind: 'refuse'; readonly event: TurnEnd; readonly isEarly: boolean }
  | { readonly kind: 'limit'; readonly nth: number; readonly isEarly: false };

export function isOwn(step: PlayStep | undefined): step is OwnStep {
  return step?.kind === 'start' || step?.kind === 'refuse' || step?.kind === 'limit';
}
