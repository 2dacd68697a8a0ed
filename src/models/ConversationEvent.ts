import type { ProgressEvent } from './AgentEvent.js';
import type { MemberId, TurnId } from './ids.js';
import type {
  DECISION_MAKERS,
  FACTS,
  MEMBER_SUMMARY,
  MESSAGE_RUN,
  PAUSES,
  PROFILE,
  QUEUED_TURN,
  RECORDED_USAGE,
  RESULTS,
  SENT_PROMPT,
  SETTINGS,
  TEAM_SUMMARY,
} from './schema/events.js';
import type { Fields, Variant } from './schema/fields.js';
import type { NOTICE, NOTICES } from './schema/notices.js';

/** Version of the stored and printed form of events. A reader refuses what is newer. */
export const EVENT_VERSION = 1;

type Fact<Type extends keyof typeof FACTS> = Variant<'type', typeof FACTS, Type>;

/** The first fact of every conversation. */
export interface ConversationStart extends Fact<'conversation-start'> {}

/** The conversation is a copy of the beginning of another one, and continues on its own from here. */
export interface ConversationForked extends Fact<'conversation-forked'> {}

export interface TeamSummary extends Fields<typeof TEAM_SUMMARY> {}

export interface MemberSummary extends Fields<typeof MEMBER_SUMMARY> {}

export interface MessageAdded extends Fact<'message-added'> {}

export interface TaskChanged extends Fact<'task-changed'> {}

/** A person has named the conversation, or taken the name back. */
export interface TitleChanged extends Fact<'title-changed'> {}

/** The profile of a member, all it is told and shown besides the messages, is new or has changed. */
export interface ProfileChanged extends Fact<'profile-changed'> {}

/** Everything that shapes a member's prompts and is not said in the conversation. */
export interface MemberProfile extends Fields<typeof PROFILE> {}

/** Everything else that a team file says about a member, and that decides what its agent can do. */
export interface MemberSettings extends Fields<typeof SETTINGS> {}

/** A turn that waits: who is to speak, because of which message, about which message. */
export interface QueuedTurn extends Fields<typeof QUEUED_TURN> {}

export interface TurnsQueued extends Fact<'turns-queued'> {}

/** Queued turns that will not run. */
export interface TurnsDropped extends Fact<'turns-dropped'> {}

export interface TurnStart extends Fact<'turn-start'> {}

/** Record of a prompt that was sent, so that it can be rebuilt from the log and checked. */
export interface SentPrompt extends Fields<typeof SENT_PROMPT> {}

/** Neighbouring messages, both ends included. */
export interface MessageRun extends Fields<typeof MESSAGE_RUN> {}

/** Something an agent did during a turn that people may want to see later. */
export interface TurnActivity extends Fact<'turn-activity'> {}

/** The decision on a `permission-request`. */
export interface PermissionDecided extends Fact<'permission-decided'> {}

/**
 * Source of a decision: a person; the lists `allow` and `deny` of the member; its `permission`; `nobody`: no
 * one was there to ask; or `size`: it was too long to show whole, and what cannot be shown whole is denied.
 */
export type DecisionMaker = Variant<'kind', typeof DECISION_MAKERS>;

export interface TurnEnd extends Fact<'turn-end'> {}

/** The changes of files in the working folder, or in a copy, since the record before. */
export interface FilesRecorded extends Fact<'files-recorded'> {}

/** As TurnOutcome, with the answer as the message it became. */
export type TurnResult = Variant<'kind', typeof RESULTS>;

export interface RecordedUsage extends Fields<typeof RECORDED_USAGE> {}

/** Something people should know: a code and what it is about. Sentences are made of it in `catalogue/notices.ts`. */
export type Notice = Variant<'code', typeof NOTICES, NoticeCode, typeof NOTICE>;

export type NoticeCode = keyof typeof NOTICES;

/** The conversation needs a person. */
export interface WaitingForHuman extends Fact<'waiting-for-human'> {}

export interface ConversationPause extends Fact<'conversation-pause'> {}

export type PauseReason = Variant<'kind', typeof PAUSES>;

/** The limits at which a conversation pauses before a turn starts. */
export type LimitName = Extract<PauseReason, { kind: 'limit' }>['limit'];

export interface ConversationResume extends Fact<'conversation-resume'> {}

/** Everything that is recorded. */
export type ConversationFact = Fact<keyof typeof FACTS> | Notice;

/** A fact in its place in the log. */
export type RecordedEvent = ConversationFact & {
  readonly v: typeof EVENT_VERSION;
  /** Counts up from 1 without gaps; the order of things, which `at` is not. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
};

/** Live output of an agent. Shown, never stored. */
export interface TurnProgress {
  readonly type: 'turn-progress';
  readonly v: typeof EVENT_VERSION;
  readonly at: number;
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly event: ProgressEvent;
}

/** The first look at the working folder, while it takes long. Shown, never stored. */
export interface FilesProgress {
  readonly type: 'files-progress';
  readonly v: typeof EVENT_VERSION;
  readonly at: number;
  /** Number of files that were looked at. */
  readonly files: number;
  /** The look is over, be it that it was stopped. */
  readonly isDone?: true | undefined;
}

/** Any event that a conversation reports to the store and the front ends. */
export type ConversationEvent = RecordedEvent | TurnProgress | FilesProgress;
