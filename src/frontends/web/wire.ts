import { z } from 'zod';
import type { ExplainedPrompt } from '../../context/types.js';
import type { ForkUsage, Usage } from '../../conversation/usage.js';
import type { FileAction } from '../../files/actions/describeFileAction.js';
import type { MemberProfile, SentPrompt } from '../../models/ConversationEvent.js';
import type { ConversationMessage } from '../../models/ConversationMessage.js';
import type { FileChange, NotRecorded } from '../../models/FileChange.js';
import type { ConversationId, MemberId, TurnId } from '../../models/ids.js';
import { LANGUAGES } from '../../models/Language.js';
import type { Limits, Permission } from '../../models/Team.js';
import type { Block, PermissionRecord, ShownMember } from '../../presentation/Block.js';
import type { Telling } from '../../presentation/Telling.js';
import type { ConversationSummary } from '../../store/summary.js';

/** The rights of a browser: `full` as a person of the team, `watch` only to look. */
export type BrowserRole = z.output<typeof ROLE>;

export const ROLE = z.enum(['full', 'watch']);

/** A text that is neither empty nor longer than an address should be. */
const WORD = z.string().min(1).max(400);

/** Bodies of requests. Every one is strict: what is not known is refused. */
export const LOGIN_CODE = z.strictObject({ code: z.string().max(200) });
export const INVITATION = z.strictObject({ role: ROLE });
export const NEW_CONVERSATION = z.strictObject({
  /** The demonstration with simulated agents instead of the team here. */
  isDemo: z.boolean().optional(),
});
export const MESSAGE = z.strictObject({
  content: z.string().min(1),
  /** Name of the person. Default: the first person of the team. */
  as: WORD.optional(),
});
export const DECISION = z.strictObject({
  requestId: WORD,
  verdict: z.enum(['allow', 'deny']),
  as: WORD.optional(),
});
export const ACTION = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['cancel', 'pause', 'resume', 'retry']) }),
  z.strictObject({
    do: z.enum(['undo', 'apply']),
    what: WORD.optional(),
    /** Only tells what would be done. */
    isDryRun: z.boolean(),
    as: WORD.optional(),
  }),
]);

const NUMBER = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Queries of requests. */
export const LIST = z.strictObject({
  /** Only conversations held in this folder, or all. */
  scope: z.enum(['here', 'all']).default('here'),
  text: z.string().max(400).optional(),
  /** The `next` of the page before. */
  before: NUMBER.optional(),
});
export const BLOCKS = z.strictObject({ before: NUMBER, limit: NUMBER.max(500).default(100) });
export const STREAM = z.strictObject({ conversation: WORD.optional(), after: NUMBER.optional() });
export const PROMPT_PART = z.strictObject({
  /** `new`: the lines that are new since the turn of the same member before, as a unified diff. */
  part: z.enum(['prompt', 'system', 'new']).default('prompt'),
});
export const CHANGES = z.strictObject({ turn: WORD.optional() });
export const COST = z.strictObject({ bins: NUMBER.min(1).max(60).default(60) });
export const SEARCH = z.strictObject({ text: WORD });
export const EXPORT = z.strictObject({
  format: z.enum(['md', 'html', 'json', 'jsonl']),
  /** The language of the headings and notes. Default: that of the request. */
  language: z.enum(LANGUAGES).optional(),
});

/** The answer to `login`: half of what a browser needs from then on; the other half is a cookie. */
export interface LoggedIn {
  readonly key: string;
  readonly role: BrowserRole;
}

/** A browser and the place it looks at. */
export interface WhoAmI {
  readonly role: BrowserRole;
  readonly version: string;
  /** The folder that the process was started in. */
  readonly folder: string;
  readonly language: string;
  /** The team that would work here now; absent when there is none. */
  readonly team?: { readonly name: string; readonly members: readonly ShownMember[] };
  /** The people as whom a browser may speak; none where everyone speaks as themselves. */
  readonly people: readonly string[];
  /** The reason why no conversation can be started here, for people. */
  readonly refusal?: WireError;
  /** The demonstration is offered: there is neither a team file nor an agent. */
  readonly hasDemo: boolean;
}

export interface Invited {
  /** Path and code, to be put after the address the browser knows: `/#code=…`. */
  readonly path: string;
  readonly role: BrowserRole;
}

export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** A conversation in the list, with what waits for a person in it. */
export interface ListedConversation extends ConversationSummary {
  readonly requests: readonly OpenRequest[];
  /** The process that has it open, if it is another one. */
  readonly openIn?: number;
  readonly isDemo?: true;
  /** It is held in another folder; there it can be continued. */
  readonly isElsewhere?: true;
}

export interface ConversationListPage {
  readonly conversations: readonly ListedConversation[];
  readonly next?: number;
}

/** A permission request that is open, whole. */
export interface OpenRequest extends PermissionRecord {
  readonly turnId: TurnId;
  readonly memberName: string;
}

/** A running turn's text so far. */
export interface RunningText {
  readonly turnId: TurnId;
  readonly text: string;
}

/** A block and the numbers of the events it was told by: `seq` is that of the last. */
export interface PlacedTelling {
  readonly seq: number;
  readonly block: Block;
}

/** Everything that the first screen of a conversation needs. */
export interface FirstScreen {
  readonly summary: ListedConversation;
  /** The telling after event `seq`: the page tells on from here. */
  readonly telling: Telling;
  readonly seq: number;
  readonly blocks: readonly PlacedTelling[];
  /** Older blocks are those before this number; absent when there are none. */
  readonly from?: number;
  readonly running: readonly RunningText[];
  /** Limits of the team that would continue it; empty if there is none. */
  readonly limits: Partial<Limits>;
}

export interface OlderBlocks {
  readonly blocks: readonly PlacedTelling[];
  readonly from?: number;
}

export interface SentMessage {
  readonly message: ConversationMessage;
}

export interface CreatedConversation {
  readonly id: ConversationId;
}

/** The outcome of an action: the number of turns that `retry` asks again; of `undo` and `apply` the plan, or what was done. */
export interface ActionDone {
  readonly turns?: number;
  readonly files?: FilesActed;
}

/** An undo or apply, planned or done; `files` are the first of `total`. */
export interface FilesActed extends FileAction {
  readonly total: number;
}

/** The prompt of one turn, made again from the log: `why`. The page has these types without the code that makes them. */
export interface TurnExplained extends Pick<ExplainedPrompt, 'plan'> {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly sent: SentPrompt;
  readonly isExact: boolean;
  readonly memberName: string;
  /** The turns before and after it, for the links. */
  readonly previous?: TurnId;
  readonly next?: TurnId;
  /** The turn of the same member before it, for what is new since. */
  readonly since?: TurnId;
  readonly hasSystemPrompt: boolean;
}

/** The agents of a conversation: what its log has last of each. */
export interface MembersShown {
  readonly agents: readonly ShownAgent[];
}

export interface ShownAgent extends Pick<MemberProfile, 'memory' | 'window' | 'visibility' | 'maxBytes'> {
  readonly memberId: MemberId;
  /** As its program reported it last, else as the team file names it. */
  readonly model?: string;
  /** Absent in logs of earlier versions. */
  readonly permission?: Permission;
  readonly isInCopy?: true;
}

/** Files that turns changed, as the log has them. */
export interface FileChanges {
  /** The turns, undos and applies it is of, in their order. */
  readonly units: readonly ChangeUnit[];
  readonly files: readonly ChangedFileShown[];
  /** Number of changed files beyond those in `files`. */
  readonly unlisted: number;
  /** Names of units that are left out: they are in copies, and others are in the folder itself. */
  readonly inCopies: readonly string[];
  /** The names come from what agents reported, without lines: nothing was recorded. */
  readonly isReportedOnly: boolean;
  /** The reason why nothing was recorded, if the log has one. */
  readonly reason?: NotRecorded;
}

export interface ChangeUnit {
  /** `turn-4`, `undo-1`, `apply-1`. */
  readonly name: string;
  readonly memberName: string;
  /** The member in whose copy the files are; absent: in the folder itself. */
  readonly copyOf?: string;
  /** Recorded later than it happened, so it may hold changes of others. */
  readonly isLate?: true;
  /** Everything in it was put back. */
  readonly isUndone?: true;
}

export interface ChangedFileShown extends Pick<FileChange, 'path' | 'change'> {
  readonly added: number;
  readonly removed: number;
  /** Names of the units that changed it. */
  readonly units: readonly string[];
  /** Unified diffs of this file alone, in the order in which they were made. */
  readonly parts: readonly PatchOfUnit[];
  /** The reason why lines are missing. */
  readonly note?: FileNote;
}

export interface PatchOfUnit {
  readonly unit: string;
  readonly patch: string;
}

/** `mode`: only the mode changed; `moved`: the lines are under its new name; `too-much`: more than one answer holds. */
export type FileNote = 'binary' | 'secret' | 'not-kept' | 'mode' | 'moved' | 'cut' | 'too-much';

export interface CostShown {
  readonly usage: Usage;
  /** The same split in two for a fork: what its past took, and what was spent since. */
  readonly fork?: ForkUsage;
  readonly bins: readonly CostBin[];
}

/** Some turns that follow each other; at most 60 bins, whatever the number of turns. */
export interface CostBin {
  readonly from: TurnId;
  readonly to: TurnId;
  readonly members: readonly BinShare[];
}

/** The part of one member in a bin. */
export interface BinShare {
  readonly memberId: MemberId;
  readonly usd: number;
  readonly tokens: number;
}

export interface SearchHits {
  /** The newest ones, oldest first. */
  readonly hits: readonly SearchHit[];
  /** There are older ones that are not listed. */
  readonly isCut: boolean;
}

export interface SearchHit {
  readonly seq: number;
  readonly messageId: string;
  readonly memberName: string;
  readonly at: number;
  /** The place in the message, with some of the text around it. */
  readonly excerpt: Excerpt;
}

export interface Excerpt {
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

/** Frames of the stream that are no recorded events, by the name of the frame. */
export interface Frames {
  /** First of all: what runs and what waits. */
  readonly live: { readonly running: readonly RunningText[]; readonly requests: readonly OpenRequest[] };
  /** The text of a running turn from the offset `at` on. */
  readonly progress: { readonly turnId: TurnId; readonly at: number; readonly text: string };
  /** A summary changed. */
  readonly sessions: {
    readonly changed: readonly ListedConversation[];
    readonly deleted: readonly ConversationId[];
  };
  /** The first look at the folder, as the event of that name says it. */
  readonly 'files-progress': { readonly files: number; readonly isDone: boolean };
  readonly alive: Readonly<Record<string, never>>;
  readonly ended: { readonly why: 'superseded' | 'closing' };
}
