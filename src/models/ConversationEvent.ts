import type { AgentType } from './AgentConfig.js';
import type { AgentEvent, EndEvent, TurnUsage } from './AgentEvent.js';
import type { ConversationMessage } from './ConversationMessage.js';
import type { ConversationId, MemberId, MessageId, TurnId } from './ids.js';
import type { ContextSettings, Limits, Memory, Permission, Visibility } from './Team.js';
import type { TurnFailure, TurnLimit } from './TurnOutcome.js';

/** Of the stored and printed form of events. A reader refuses what is newer. */
export const EVENT_VERSION = 1;

/** The first fact of every conversation. */
export interface ConversationStart {
  readonly type: 'conversation-start';
  readonly conversationId: ConversationId;
  readonly team: TeamSummary;
  readonly isRehearsal: boolean;
}

export interface TeamSummary {
  readonly name: string;
  readonly members: readonly MemberSummary[];
}

export interface MemberSummary {
  readonly id: MemberId;
  readonly name: string;
  readonly type: 'human' | 'ai';
  readonly title?: string;
  readonly agentType?: AgentType;
  readonly permission?: Permission;
}

export interface MessageAdded {
  readonly type: 'message-added';
  readonly message: ConversationMessage;
  /** The turn that said it; absent for people. */
  readonly turnId?: TurnId;
}

export interface TaskChanged {
  readonly type: 'task-changed';
  readonly task: string | null;
}

/** What a member is told and shown besides the messages is new or has changed. */
export interface BriefChanged {
  readonly type: 'brief-changed';
  readonly memberId: MemberId;
  readonly brief: MemberBrief;
  /** Of the brief, and of the system text in it; in hexadecimal. */
  readonly sha256: string;
  readonly systemSha256: string;
}

/** Everything that shapes a member's prompts and is not said in the conversation. */
export interface MemberBrief {
  readonly agentName: string;
  readonly agentType: AgentType;
  /** Whose prompts it gets, where not those of its own type: of a type that takes system text beside the prompt. */
  readonly promptsOf?: AgentType;
  /** The preamble and the text from the team file. */
  readonly systemInstruction: string;
  readonly instructionFileText?: string;
  readonly memory: Memory;
  readonly window: number;
  readonly visibility: Visibility;
  readonly guard: ContextSettings['guard'];
  readonly memberNames: readonly string[];
  readonly maxBytes: number;
}

/** A turn that waits: who is to speak, because of which message, about which message. */
export interface QueuedTurn {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly triggeredBy: MessageId;
  /** The message the turn is about, when it is not simply the latest. */
  readonly about?: MessageId;
  /** Turns of one blind round run at the same time and are revealed together. */
  readonly blindRound?: TurnId;
  /** The turn that did not complete and is asked for again. */
  readonly retryOf?: TurnId;
}

export interface TurnsQueued {
  readonly type: 'turns-queued';
  readonly turns: readonly QueuedTurn[];
  /** People go first. */
  readonly place: 'front' | 'back';
}

/** Queued turns that will not run. */
export interface TurnsDropped {
  readonly type: 'turns-dropped';
  readonly turnIds: readonly TurnId[];
}

export interface TurnStart extends QueuedTurn {
  readonly type: 'turn-start';
  /** What was sent, so that it can be made again from the log and be checked. */
  readonly prompt: SentPrompt;
}

export interface SentPrompt {
  /** Prompt and system text together. */
  readonly bytes: number;
  /** Of the system text, a NUL, and the prompt; in hexadecimal. */
  readonly sha256: string;
  /** Which message was the latest when the prompt was made. */
  readonly latestMessageId: MessageId;
  readonly about?: MessageId;
  readonly lastSeenMessageId?: MessageId;
  readonly nonce?: string;
  readonly session: 'new' | 'resume' | 'fork';
  /** The session that is resumed has the system text already, so it was left out. */
  readonly omitsSystemText?: boolean;
  /** The session has the prompt of a turn that was cut off: it was not sent again, and the member was told. */
  readonly afterCutOff?: boolean;
  /** Of a member with session memory: what there was no room for. It has not seen that, so it is sent when there is. */
  readonly missed?: readonly MessageRun[];
}

/** Neighbouring messages, both ends included. */
export interface MessageRun {
  readonly first: MessageId;
  readonly last: MessageId;
}

/** What an agent did during a turn and people may want to see later. */
export interface TurnActivity {
  readonly type: 'turn-activity';
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly event: ActivityEvent;
}

export type ActivityEvent = Extract<
  AgentEvent,
  {
    type:
      | 'session'
      | 'tool-start'
      | 'tool-end'
      | 'file-change'
      | 'todo-list'
      | 'permission-request'
      | 'retry'
      | 'error';
  }
>;

/** What came of a `permission-request`. */
export interface PermissionDecided {
  readonly type: 'permission-decided';
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly requestId: string;
  /** `cancelled`: the turn was over before anybody had decided. */
  readonly decision: 'allowed' | 'denied' | 'cancelled';
  readonly by: DecisionMaker;
}

export type DecisionMaker =
  | { readonly kind: 'person'; readonly memberId: MemberId }
  /** The lists `allow` and `deny` of the member. */
  | { readonly kind: 'team-file' }
  /** The member's `permission`. */
  | { readonly kind: 'permission' }
  /** Nobody was there to be asked. */
  | { readonly kind: 'nobody' }
  /** It was too long to be shown whole, and what cannot be shown whole is denied. */
  | { readonly kind: 'size' };

export interface TurnEnd {
  readonly type: 'turn-end';
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly result: TurnResult;
  readonly milliseconds: number;
  readonly usage?: RecordedUsage;
  /** The agent's own session, where it has one. */
  readonly sessionId?: string;
  /** Where in that session the turn ended; for agents that can fork it there. */
  readonly sessionMark?: string;
  /** Of a turn that did not complete: whether that session has its prompt. Absent: not known. */
  readonly sessionHoldsPrompt?: boolean;
}

/** As TurnOutcome, with the answer as the message it became; `messageId` is null for an empty answer. */
export type TurnResult =
  | { readonly kind: 'completed'; readonly messageId: MessageId | null }
  | { readonly kind: 'failed'; readonly failure: TurnFailure; readonly draft: string }
  | { readonly kind: 'cancelled'; readonly draft: string }
  | {
      readonly kind: 'timed-out';
      readonly limit: TurnLimit;
      readonly milliseconds: number;
      readonly draft: string;
    }
  | { readonly kind: 'interrupted'; readonly draft: string };

export interface RecordedUsage extends TurnUsage {
  /** Where `usd` comes from: the agent, the prices of the team file, or nobody. */
  readonly price: 'reported' | 'estimated' | 'unknown';
  /** Totals to hand to the next turn in the same session. */
  readonly sessionTotals?: TurnUsage;
}

/** Something people should know; `code` for programs, `text` for them. */
export interface Notice {
  readonly type: 'notice';
  readonly code: NoticeCode;
  readonly text: string;
  readonly messageId?: MessageId;
  readonly memberId?: MemberId;
}

export type NoticeCode =
  | 'unknown-addressee'
  | 'self-addressed'
  | 'too-many-addressees'
  | 'queue-full'
  | 'marker-in-open-fence'
  | 'claimed-from'
  | 'task-from-agent'
  | 'empty-reply'
  | 'usage-unknown'
  | 'prompt-trimmed'
  | 'session-lost'
  | 'session-not-forked'
  | 'turn-interrupted'
  | 'lease-taken-over'
  | 'no-agent';

/** The conversation needs a person. `named`: an agent asked for them by name. */
export interface HumanAwaited {
  readonly type: 'human-awaited';
  readonly memberIds: readonly MemberId[];
  readonly named: boolean;
}

export interface ConversationPause {
  readonly type: 'conversation-pause';
  readonly reason: PauseReason;
}

export type PauseReason =
  | { readonly kind: 'asked' }
  /** The conversation was opened again while turns were waiting. */
  | { readonly kind: 'reopened' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'limit'; readonly limit: LimitName; readonly count: number; readonly max: number };

/** The limits at which a conversation pauses before a turn starts. */
export type LimitName = Extract<keyof Limits, 'agentTurns' | 'pairTurns' | 'sameAnswer' | 'tokens' | 'usd'>;

export interface ConversationResume {
  readonly type: 'conversation-resume';
  /** Somebody chose to go past the limit that was reached, so its counter starts anew. */
  readonly pastLimit: boolean;
}

/** Everything that is recorded. */
export type ConversationFact =
  | ConversationStart
  | MessageAdded
  | TaskChanged
  | BriefChanged
  | TurnsQueued
  | TurnsDropped
  | TurnStart
  | TurnActivity
  | PermissionDecided
  | TurnEnd
  | Notice
  | HumanAwaited
  | ConversationPause
  | ConversationResume;

/** A fact in its place in the log. */
export type RecordedEvent = ConversationFact & {
  readonly v: typeof EVENT_VERSION;
  /** Counts up from 1 without gaps; the order of things, which `at` is not. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
};

/** What an agent is saying just now. Shown, never stored. */
export interface TurnProgress {
  readonly type: 'turn-progress';
  readonly v: typeof EVENT_VERSION;
  readonly at: number;
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly event: Exclude<AgentEvent, ActivityEvent | EndEvent>;
}

/** What a conversation tells the store and the front ends. */
export type ConversationEvent = RecordedEvent | TurnProgress;
