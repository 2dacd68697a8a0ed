import type { ConversationFact, PermissionDecided } from '../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../models/ids.js';

/** A turn, and its member in the recording, or now where it is not recorded. */
interface TurnOfMember {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
}

/** Another member has the turn now. The play ends there. */
export interface OtherMember extends TurnOfMember {
  readonly kind: 'other-member';
  readonly now: MemberId;
}

/** A turn starts now that is not in the recording. The play ends there. */
export interface NotRecordedTurn extends TurnOfMember {
  readonly kind: 'not-recorded';
}

/** A recorded turn does not start now. */
export interface NeverAsked extends TurnOfMember {
  readonly kind: 'never-asked';
}

/** The text that an agent is sent differs. */
export interface OtherPrompt extends TurnOfMember {
  readonly kind: 'prompt';
  readonly diff: PromptDiff;
}

/** A setting differs, of a member or of the team; `turnId` where it is one of a turn. */
export interface OtherSetting {
  readonly kind: 'settings';
  readonly memberId?: MemberId;
  readonly turnId?: TurnId;
  readonly field: string;
  /** Absent: it was not set. */
  readonly before?: unknown;
  readonly now?: unknown;
}

/** A permission request is decided differently. */
export interface OtherDecision extends TurnOfMember {
  readonly kind: 'permission';
  readonly requestId: string;
  /** The tool, and what it was to do. */
  readonly name: string;
  readonly input: string;
  readonly before?: Pick<PermissionDecided, 'decision' | 'by'> | undefined;
  readonly now?: Pick<PermissionDecided, 'decision' | 'by'> | undefined;
}

/** Any other fact differs: it is only in the recording, only there now, or is another one now. */
export interface OtherFact {
  readonly kind: 'fact';
  /** The play ended there: the rest of the recording is not in it. */
  readonly isEnd?: true;
  readonly before?: ConversationFact | undefined;
  readonly now?: ConversationFact | undefined;
}

/** A way in which a played conversation differs from its recording. */
export type Difference =
  | OtherMember
  | NotRecordedTurn
  | NeverAsked
  | OtherPrompt
  | OtherSetting
  | OtherDecision
  | OtherFact;

export type PromptDiff =
  | { readonly kind: 'lines'; readonly hunks: readonly PromptHunk[] }
  /** Too much to compare in time: numbers of lines, and the first that differs. */
  | {
      readonly kind: 'too-long';
      readonly before: number;
      readonly now: number;
      readonly firstLine: number;
    }
  /** The recorded text cannot be made again: another version of Huddle sent it. */
  | { readonly kind: 'unknown' };

/** Neighbouring lines that differ. Each begins with `-`, `+` or a blank. */
export interface PromptHunk {
  /** Number of its first line, in the recording and now. */
  readonly before: number;
  readonly now: number;
  readonly lines: readonly string[];
}
