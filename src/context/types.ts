import type { AgentType } from '../models/AgentConfig.js';
import type { ConversationMessage, NewMessage, SpeakerType } from '../models/ConversationMessage.js';
import type { SectionBytes } from '../models/errors.js';
import type { MessageId } from '../models/ids.js';
import type { Logger } from '../utils/logger.js';

/** A message of the history as an assembler gets it: markers stripped, recipients as text. */
export interface PromptContextMessage {
  readonly from: string;
  /** Missing means `all`. */
  readonly to?: string;
  readonly content: string;
  /** Only there for the fence guard, which shows it. */
  readonly type?: SpeakerType;
}

/** Everything an assembler needs to make one prompt. */
export interface AssemblerInput {
  readonly contextMessages: readonly PromptContextMessage[];
  readonly currentMessage: string;
  readonly teamTask: string | null;
  readonly systemInstruction?: string | undefined;
  readonly instructionFileText?: string | undefined;
  /** Description of the files that changed since the member's last turn. */
  readonly files?: string;
  /** Hard limit in UTF-8 bytes for prompt and system flag together. */
  readonly maxBytes: number;
  /** The first context message is pinned: the budget drops it last. */
  readonly firstIsPinned?: boolean;
  /** Keeps message text from reading as prompt structure. Without it text goes in as it is. */
  readonly guard?: PromptGuard;
}

export interface AssemblerOutput {
  readonly prompt: string;
  /** System text that is sent separately; only Claude accepts it that way. */
  readonly systemFlag?: string | undefined;
  /** Only present when something was left out. */
  readonly trim?: TrimReport;
}

/** Turns one member's view of the conversation into the prompt form that suits its agent. */
export interface IContextAssembler {
  getAgentType(): AgentType;
  /** Never over `maxBytes`, never an empty prompt in place of an error: throws PromptBudgetError instead. */
  assemble(input: AssemblerInput): AssemblerOutput;
  /** Bytes of each section of the prompt that `assemble` makes, for those who want to know. */
  measureSections?(input: AssemblerInput): SectionBytes;
}

export interface TrimReport {
  readonly droppedMessages: number;
  /** The description of changed files was left out; it is the first to go. */
  readonly droppedFiles?: true;
  /** Bytes cut off the end of the current message. */
  readonly cutBytes: number;
  /** Bytes cut out of the instruction file; only `buildPrompt` does that. */
  readonly instructionCutBytes?: number;
  /** Bytes of each section as sent, titles included. */
  readonly sections: SectionBytes;
}

/**
 * `on`: lines that would read as structure are indented by two spaces; `memberNames` are names that must not be
 * forged in layouts where a bare `name:` is structure. `fence`: every text stands between lines that hold a nonce.
 */
export type PromptGuard =
  | { readonly mode: 'on'; readonly memberNames?: readonly string[] }
  | {
      readonly mode: 'fence';
      readonly nonce: string;
      /** Speaker of the current message. */
      readonly currentSpeaker?: { readonly from: string; readonly type: SpeakerType };
    };

/** The guard as an option; ContextManager fills in names, nonce and speakers. */
export type GuardChoice = 'off' | 'on' | 'fence';

export interface ContextOptions {
  readonly systemInstruction?: string | undefined;
  readonly instructionFileText?: string | undefined;
  /** Description of the files that changed since the member's last turn, a section of its own. Default: none. */
  readonly files?: string | undefined;
  /** Overrides the window for this call; 0 means no history. */
  readonly windowSizeOverride?: number;
  /** Overrides the byte budget for this call. */
  readonly maxBytesOverride?: number;
  /** `addressed`: only messages to all, to this member, and its own. Default `all`. */
  readonly visibility?: 'all' | 'addressed';
  /** The member's name where it differs from its id; messages addressed to either count. */
  readonly agentName?: string;
  /** The message the turn is about; default the latest. */
  readonly currentMessageId?: string;
  /** Leaves out what was said after the current message. */
  readonly ignoresLater?: boolean;
  /** The message that made this turn happen: stays in the context even when it is outside the window. */
  readonly triggerMessageId?: string;
  /**
   * The last message the member has seen in a session of its own: the context holds only what came after, without
   * what the member said itself. The window does not apply then, unless `windowSizeOverride` is given too.
   */
  readonly lastSeenMessageId?: string;
  /** The last turn in that session was cut off after it had been sent: the member is told, and nothing is repeated. */
  readonly wasCutOff?: boolean;
  /** Leaves out the team task, which that session was sent before. */
  readonly omitsTeamTask?: boolean;
  /** Runs of messages up to that one which the member has not seen all the same. */
  readonly missedMessages?: readonly { readonly first: string; readonly last: string }[];
  readonly guard?: GuardChoice;
  /** Names the guard protects in addition to those that have spoken. */
  readonly memberNames?: readonly string[];
}

export interface ContextManagerOptions {
  /** Number of messages of history in a prompt. Default 5. */
  readonly contextWindowSize?: number;
  /** Windows of single members by agent id, or of all agents of a type by agent type. */
  readonly windowSizes?: Readonly<Record<string, number>>;
  /** Byte budget of a prompt. Default 768 KB. */
  readonly maxBytes?: number;
  /** Oldest messages beyond this many are forgotten. Default: none are. */
  readonly maxMessages?: number;
  readonly onMessageAdded?: (message: ConversationMessage) => void;
  readonly onTeamTaskChanged?: (task: string | null) => void;
  /** After `clear` and `importSnapshot`: everything that was told before is void. */
  readonly onReset?: () => void;
  readonly logger?: Logger;
  /** Another name of `logger`. */
  readonly output?: Logger;
  /** Assemblers by agent type, over the built-in ones. */
  readonly assemblers?: ReadonlyMap<AgentType, IContextAssembler>;
  readonly clock?: () => number;
  /** Source of fence nonces, 16 hexadecimal digits each. */
  readonly nonce?: () => string;
}

export interface ContextSnapshot {
  readonly messages: readonly ConversationMessage[];
  readonly teamTask: string | null;
  readonly timestamp: number;
  readonly version: 1;
}

export interface MessageQuery {
  /** `roleId` or `roleName` of the speaker. */
  readonly speaker?: string;
  /** Epoch milliseconds, inclusive. */
  readonly since?: number;
  /** Epoch milliseconds, inclusive. */
  readonly until?: number;
}

/** Reason why a message is not in a prompt. */
export type LeftOutReason = 'window' | 'budget' | 'duplicate' | 'seen' | 'not-addressed';

/** A run of neighbouring messages that fared alike. */
export interface PlannedMessages {
  readonly first: MessageId;
  readonly last: MessageId;
  readonly count: number;
  readonly inclusion: 'kept' | 'pinned' | 'current' | LeftOutReason;
}

/** Explanation of a prompt: what went in, what was left out, and why. */
export interface PromptPlan {
  readonly agentId: string;
  readonly agentType: AgentType;
  readonly maxBytes: number;
  readonly totalBytes: number;
  /** Null for an assembler that does not measure its sections. */
  readonly sections: SectionBytes | null;
  /** Every message of the conversation, in order. */
  readonly messages: readonly PlannedMessages[];
  /** Bytes cut off the end of the current message. */
  readonly cutBytes: number;
}

export interface ExplainedPrompt {
  readonly input: AssemblerInput;
  readonly output: AssemblerOutput;
  readonly plan: PromptPlan;
}

/** The public face of ContextManager. */
export interface IContextProvider {
  previewMessage(message: NewMessage): ConversationMessage;
  addMessage(message: NewMessage): ConversationMessage;
  getMessages(): ConversationMessage[];
  getLatestMessage(): ConversationMessage | null;
  getMessage(id: string): ConversationMessage | null;
  findMessages(query: MessageQuery): ConversationMessage[];
  setTeamTask(task: string | null): void;
  clearTeamTask(): void;
  getTeamTask(): string | null;
  getContextForAgent(agentId: string, agentType: AgentType, options?: ContextOptions): AssemblerInput;
  assemblePrompt(agentType: AgentType, input: AssemblerInput): AssemblerOutput;
  explainPrompt(agentId: string, agentType: AgentType, options?: ContextOptions): ExplainedPrompt;
  clear(): void;
  exportSnapshot(): ContextSnapshot;
  importSnapshot(snapshot: ContextSnapshot): void;
}
