import { english } from '../catalogue/english.js';
import { describeNotice } from '../catalogue/notices.js';
import { subjectOf } from '../catalogue/permissionRequests.js';
import { applyFact, INITIAL_STATE } from '../conversation/ConversationState.js';
import type { Usage } from '../conversation/usage.js';
import type {
  DecisionMaker,
  MemberSummary,
  PauseReason,
  PermissionDecided,
  RecordedEvent,
  RecordedUsage,
  TurnResult,
} from '../models/ConversationEvent.js';
import type { ConversationMessage } from '../models/ConversationMessage.js';
import { findMember } from '../models/findMember.js';
import type { ConversationId, MemberId, TurnId } from '../models/ids.js';
import type { AnyIterable } from '../utils/AnyIterable.js';
import { assertNever } from '../utils/assertNever.js';

/** A conversation as people read it: what was said, done and spent, in order. */
export interface Transcript {
  readonly conversationId: ConversationId;
  readonly teamName: string;
  readonly members: readonly MemberSummary[];
  readonly isRehearsal: boolean;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly teamTask: string | null;
  readonly entries: readonly TranscriptEntry[];
  readonly usage: Usage;
}

export type TranscriptEntry =
  | {
      readonly kind: 'message';
      readonly at: number;
      readonly message: ConversationMessage;
      readonly turn?: TranscriptTurn;
    }
  /** A turn that did not become a message. */
  | { readonly kind: 'turn'; readonly at: number; readonly turn: TranscriptTurn }
  | { readonly kind: 'notice'; readonly at: number; readonly text: string }
  | { readonly kind: 'task'; readonly at: number; readonly task: string | null }
  | { readonly kind: 'pause'; readonly at: number; readonly reason: PauseReason };

export interface TranscriptTurn {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly result: TurnResult;
  readonly milliseconds: number;
  readonly usage?: RecordedUsage;
  readonly tools: readonly ToolUse[];
  readonly changedFiles: readonly string[];
  readonly permissions: readonly PermissionUse[];
}

/** What an agent asked permission for. */
export interface PermissionUse {
  readonly name: string;
  /** The whole command, every file, or what the agent says. */
  readonly input: string;
  /** Absent when nobody decided before Huddle ended. */
  readonly decision?: PermissionDecided['decision'];
  readonly by?: DecisionMaker;
}

export interface ToolUse {
  readonly name: string;
  readonly input: string;
  /** Absent when the turn ended before the tool did. */
  readonly ok?: boolean;
  readonly result?: string;
}

/** Reads a whole log. */
export async function createTranscript(events: AnyIterable<RecordedEvent>): Promise<Transcript> {
  const writer = new TranscriptWriter();
  for await (const event of events) writer.add(event);
  return writer.transcript;
}

/** What a turn has done so far. */
interface Deeds {
  readonly tools: Map<string, ToolUse>;
  readonly changedFiles: string[];
  readonly permissions: Map<string, PermissionUse>;
}

class TranscriptWriter {
  #transcript: Omit<Transcript, 'entries' | 'usage'> = {
    conversationId: '' as ConversationId,
    teamName: '',
    members: [],
    isRehearsal: false,
    startedAt: 0,
    endedAt: 0,
    teamTask: null,
  };
  #state = INITIAL_STATE;
  readonly #entries: TranscriptEntry[] = [];
  readonly #deeds = new Map<TurnId, Deeds>();
  /** Ended turns whose message comes next. */
  readonly #ended = new Map<TurnId, TranscriptTurn>();

  get transcript(): Transcript {
    const entries = [...this.#entries, ...this.#describeOpenTurns()];
    return { ...this.#transcript, entries, usage: this.#state.usage };
  }

  add(event: RecordedEvent): void {
    const { at } = event;
    if (this.#transcript.startedAt === 0) this.#change({ startedAt: at });
    this.#change({ endedAt: at });
    this.#state = applyFact(this.#state, event);
    switch (event.type) {
      case 'conversation-start':
        this.#start(event);
        break;
      case 'message-added':
        this.#addMessage(event);
        break;
      case 'task-changed':
        this.#change({ teamTask: event.task });
        this.#entries.push({ kind: 'task', at, task: event.task });
        break;
      case 'turn-activity':
        this.#addActivity(event);
        break;
      case 'permission-decided':
        this.#addDecision(event);
        break;
      case 'turn-end':
        this.#endTurn(event);
        break;
      case 'notice':
        this.#entries.push({ kind: 'notice', at, text: describeNotice(event, this.#nameOf) });
        break;
      case 'conversation-pause':
        this.#entries.push({ kind: 'pause', at, reason: event.reason });
        break;
      case 'profile-changed':
      case 'turns-queued':
      case 'turns-dropped':
      case 'turn-start':
      case 'waiting-for-human':
      case 'conversation-resume':
        break;
      default:
        assertNever(event);
    }
  }

  /** A log may end in the middle of a turn: because somebody is writing it, or because that was the end. */
  #describeOpenTurns(): TranscriptEntry[] {
    const at = this.#transcript.endedAt;
    return this.#state.running.map(({ turnId, memberId }) => {
      const text = english.standing.interrupted(turnId, this.#nameOf(memberId));
      return { kind: 'notice', at, text };
    });
  }

  readonly #nameOf = (memberId: MemberId): string => findMember(this.#transcript, memberId)?.name ?? memberId;

  #start({
    conversationId,
    team,
    isRehearsal,
  }: Extract<RecordedEvent, { type: 'conversation-start' }>): void {
    this.#change({ conversationId, teamName: team.name, members: team.members, isRehearsal });
  }

  #change(changes: Partial<Transcript>): void {
    this.#transcript = { ...this.#transcript, ...changes };
  }

  #addMessage({ at, message, turnId }: Extract<RecordedEvent, { type: 'message-added' }>): void {
    const turn = turnId && this.#ended.get(turnId);
    this.#entries.push({ kind: 'message', at, message, ...(turn && { turn }) });
    if (turnId !== undefined) this.#ended.delete(turnId);
  }

  #addActivity({ turnId, event }: Extract<RecordedEvent, { type: 'turn-activity' }>): void {
    const deeds = this.#deedsOf(turnId);
    if (event.type === 'permission-request')
      deeds.permissions.set(event.requestId, { name: event.name, input: subjectOf(event) });
    if (event.type === 'tool-start') deeds.tools.set(event.toolId, { name: event.name, input: event.input });
    if (event.type === 'file-change') deeds.changedFiles.push(`${event.change} ${event.path}`);
    if (event.type !== 'tool-end') return;
    const { toolId, name, ok, result } = event;
    deeds.tools.set(toolId, { input: '', ...deeds.tools.get(toolId), name, ok, result });
  }

  #addDecision({
    turnId,
    requestId,
    decision,
    by,
  }: Extract<RecordedEvent, { type: 'permission-decided' }>): void {
    const { permissions } = this.#deedsOf(turnId);
    permissions.set(requestId, { name: '', input: '', ...permissions.get(requestId), decision, by });
  }

  #deedsOf(turnId: TurnId): Deeds {
    const deeds = this.#deeds.get(turnId) ?? { tools: new Map(), changedFiles: [], permissions: new Map() };
    this.#deeds.set(turnId, deeds);
    return deeds;
  }

  #endTurn({
    at,
    turnId,
    memberId,
    result,
    milliseconds,
    usage,
  }: Extract<RecordedEvent, { type: 'turn-end' }>): void {
    const { tools, changedFiles, permissions } = this.#deedsOf(turnId);
    this.#deeds.delete(turnId);
    const turn: TranscriptTurn = {
      turnId,
      memberId,
      result,
      milliseconds,
      ...(usage && { usage }),
      tools: [...tools.values()],
      changedFiles,
      permissions: [...permissions.values()],
    };
    const becomesMessage = result.kind === 'completed' && result.messageId !== null;
    if (becomesMessage) this.#ended.set(turnId, turn);
    else this.#entries.push({ kind: 'turn', at, turn });
  }
}
