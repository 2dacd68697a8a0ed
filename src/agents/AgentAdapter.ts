import type { AgentEvent, PermissionDetails, SessionTotals } from '../models/AgentEvent.js';
import type { ConversationId, MemberId, TurnId } from '../models/ids.js';
import type { McpServer } from '../models/McpServer.js';
import type { AgentMember } from '../models/Team.js';

/** The one of the agent's own sessions that a turn runs in. */
export type SessionChoice =
  | { readonly kind: 'new' }
  | { readonly kind: 'resume'; readonly sessionId: string }
  /** A copy; `at` a mark of the session, without what came after it. */
  | { readonly kind: 'fork'; readonly sessionId: string; readonly at?: string };

/** A folder that members get besides the working folder. */
export interface AdditionalFolder {
  readonly path: string;
  /** It may be read and not changed, as far as the agent can be held to that. */
  readonly isReadOnly?: boolean;
}

/** A turn, and everything by which others find it. */
export interface TurnAddress {
  readonly conversationId: ConversationId;
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly memberName: string;
  readonly agentType: string;
  /** The role of the workers that run it. Absent: it runs here. */
  readonly runsOn?: string | undefined;
}

/** Everything one turn needs; made by the coordinator, read by the adapter. */
export interface TurnRequest
  extends Pick<AgentMember, 'permission' | 'model' | 'command' | 'output' | 'env'>,
    Partial<Pick<AgentMember, 'allow' | 'deny'>> {
  /** The turn as others can find it. Absent: it is of no conversation. */
  readonly address?: TurnAddress;
  /** The member's name, for messages to people. */
  readonly memberName: string;
  /** Goes to the agent on stdin (or in its protocol), never on the command line. */
  readonly prompt: string;
  /** Only for agents that take system text separately from the prompt. */
  readonly systemFlag?: string;
  readonly workingFolder: string;
  /** Folders that count as inside besides the working folder. */
  readonly additionalFolders?: readonly AdditionalFolder[];
  /** Files that the agent may neither read nor write through us. */
  readonly hiddenFiles?: readonly string[];
  /** Servers for it besides those of its own settings. */
  readonly mcpServers?: readonly McpServer[];
  /**
   * The turn whose changes it checks: whatever the exit code of the command, this turn is complete with a report of all that
   * it printed.
   */
  readonly checks?: string;
  /** The folder of the project, where `workingFolder` is a copy of it: no program in it is started unasked, either. */
  readonly projectFolder?: string;
  /** The file the team came from, if it came from one: no agent changes it unless a person says so. */
  readonly teamFile?: string;
  /**
   * Asked when the agent wants permission, also to read or write a file through us. Absent: it gets none, but for files
   * that its permission covers. Never rejects.
   */
  readonly askPermission?: (question: PermissionQuestion) => Promise<PermissionAnswer>;
  readonly session: SessionChoice;
  /** The variables of credentials that it gets, if they are set; no other vendor's. */
  readonly credentials?: readonly string[];
  /** The turn and its conversation, for any Huddle that is started inside of it. */
  readonly turnName?: string;
  readonly limits: TurnTimeLimits;
  /** The `sessionTotals` of the turn before in this session: some agents report cumulative figures. */
  readonly sessionTotals?: SessionTotals;
}

/** A permission request of an agent, with all that is known about it. */
export interface PermissionQuestion extends PermissionDetails {
  /** No other question has it. */
  readonly requestId: string;
  /** The tool's name, as the agent calls it. */
  readonly name: string;
  /** A short summary of the request, on one line. */
  readonly input: string;
  /** The guards on its files: a permission to edit does not cover those files. */
  readonly guards: readonly FileGuard[];
  readonly extent: QuestionExtent;
  /** Its command, its files and its changes say all that it does. False: another of its arguments might do anything. */
  readonly isUnderstood: boolean;
  /** The agent asked. False: it wants to read or write a file through us. */
  readonly isAsked: boolean;
  /** Aborted when the answer is not needed any more. */
  readonly signal: AbortSignal;
}

/** `repository`: inside `.git`. `team-file`: a team file, or the schema next to it. `folder`: a folder, with whatever is in it. */
export type FileGuard = 'repository' | 'team-file' | 'folder';

/**
 * The extent to which a question is known. `too-long-to-show`: rules can decide, people cannot, because they
 * would not see all that changes. `too-long-to-judge`: not even the command or the files are known whole.
 */
export type QuestionExtent = 'whole' | 'too-long-to-show' | 'too-long-to-judge';

export type PermissionAnswer = 'allow' | 'deny' | 'cancelled';

export interface TurnTimeLimits {
  /** No byte on stdout for this long. */
  readonly idleMilliseconds: number;
  readonly totalMilliseconds: number;
}

/** Talks to agents in one way. A method that is absent is something it cannot do. */
export interface AgentAdapter {
  /** Runs one turn. The last event is always `end`; leaving the loop in any way stops the agent. */
  runTurn(request: TurnRequest, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /**
   * Gives the rest of a turn that outlived the process that started it; null when nothing is known of it. Absent: no turn
   * does. What was taken before is not given again, but for what no fact says: text, figures and the agent's session.
   */
  adopt?(turn: TurnAddress, signal: AbortSignal): Promise<AsyncIterable<AgentEvent> | null>;
  /** The number of the report that an event came in; facts that follow from it take it. Absent: events come from here. */
  reportOf?(event: AgentEvent): number | undefined;
  /** Lets go of what it keeps between turns. Absent: it keeps nothing. */
  close?(): Promise<void>;
}
