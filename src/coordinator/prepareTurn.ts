import { createHash } from 'node:crypto';
import type { SessionChoice, TurnAddress } from '../agents/AgentAdapter.js';
import type { AgentManager, MemberTurn } from '../agents/AgentManager.js';
import { hasSystemFlag } from '../context/assemblers/builtInAssemblers.js';
import type { ContextManager } from '../context/ContextManager.js';
import type { AssemblerOutput, ContextOptions, PromptPlan } from '../context/types.js';
import type { ConversationStatus } from '../conversation/ConversationStatus.js';
import {
  forkOf,
  type MemberSession,
  type SeenInSession,
  seenBefore,
  sessionIn,
} from '../conversation/memberSession.js';
import { tellFiles } from '../files/tell/tellFiles.js';
import type {
  ConversationFact,
  MemberProfile,
  MessageRun,
  QueuedTurn,
  SentPrompt,
  TurnStart,
} from '../models/ConversationEvent.js';
import type { ConversationId, MessageId, TurnId } from '../models/ids.js';
import type { AgentMember, Team } from '../models/Team.js';
import { agentsOf } from '../routing/teamMembers.js';
import type { ConversationLog } from '../store/Store.js';
import { utf8Length } from '../utils/bytes.js';
import { createProfile, promptTypeOf, viewOptions } from './memberProfile.js';
import type { TurnFolders } from './Round.js';

interface PreparingParts {
  readonly team: Team;
  readonly context: ContextManager;
  readonly log: Pick<ConversationLog, 'id'>;
  readonly agents: Pick<AgentManager, 'runsElsewhere'>;
}

/** A turn that is about to run. */
export interface PreparedTurn extends PreparedPrompt {
  readonly turn: QueuedTurn;
  readonly member: AgentMember;
  /** Its start, as it is recorded. */
  readonly facts: readonly ConversationFact[];
  readonly request: MemberTurn;
  /** The folders of its round. Absent: nothing is recorded of files, or the turn works on another machine. */
  readonly folders: TurnFolders | undefined;
}

/** Decides where a turn runs, in which session and with which prompt. Throws PromptBudgetError. */
export function prepareTurn(
  turn: QueuedTurn,
  member: AgentMember,
  roundFolders: TurnFolders | undefined,
  { team, context, log: { id }, agents }: PreparingParts,
  status: ConversationStatus,
): PreparedTurn {
  const isElsewhere = agents.runsElsewhere(member);
  const folders = isElsewhere ? undefined : roundFolders;
  const copy = folders?.copyOf(turn) === undefined ? undefined : true;
  const { sessions, profiles, speakerNames } = status.memory;
  const session = member.memory === 'session' ? sessionIn(sessions.get(member.id), { copy }) : undefined;
  const hasSameSystemText = session?.systemSha256 === profiles.get(member.id)?.systemSha256;
  const profile = createProfile(team, member);
  const files = tellFiles(status.changes, {
    memberId: member.id,
    profile,
    isContinued: session !== undefined,
  });
  const prepared = preparePrompt(context, { profile, turn, session, hasSameSystemText, speakerNames, files });
  const { output, sent } = prepared;
  const runsOn = isElsewhere ? member.runsOn : undefined;
  return {
    ...prepared,
    turn,
    member,
    folders,
    facts: [
      { type: 'turn-start', ...turn, prompt: sent, copy, runsOn },
      ...noteTrim(member, output),
      ...(isElsewhere ? noteElsewhere(team, status) : []),
    ],
    request: {
      prompt: output.prompt,
      systemFlag: output.systemFlag,
      checks: turn.checks,
      session: chooseSession(session),
      sessionTotals: session?.totals,
      turnName: nameOutside(turn.turnId, id),
      address: describeAddress(id, turn, member),
    },
  };
}

function chooseSession(session: MemberSession | undefined): SessionChoice {
  if (session === undefined) return { kind: 'new' };
  const { sessionId } = session;
  const fork = forkOf(session);
  return fork === undefined ? { kind: 'resume', sessionId } : { kind: 'fork', sessionId, ...fork };
}

/** Names a turn outside of the conversation. */
export function nameOutside(turnId: TurnId, id: ConversationId): string {
  return `${turnId} of session ${id}`;
}

/** Everything by which another machine finds a turn. */
export function describeAddress(
  conversationId: ConversationId,
  { turnId, memberId }: QueuedTurn,
  { name: memberName, agentType, runsOn }: AgentMember,
): TurnAddress {
  return { conversationId, turnId, memberId, memberName, agentType, runsOn };
}

/** Notes that the message itself had to be cut. Old messages are often left out, and that is not noted. */
function noteTrim({ id }: AgentMember, { trim }: AssemblerOutput): ConversationFact[] {
  if (trim === undefined || trim.cutBytes === 0) return [];
  return [{ type: 'notice', code: 'prompt-trimmed', memberId: id, cutBytes: trim.cutBytes }];
}

/** Notes, once, that what turns change on other machines is not recorded here. */
function noteElsewhere(team: Team, { recording }: ConversationStatus): ConversationFact[] {
  if (team.files?.record === false || recording.reasons.includes('elsewhere')) return [];
  const machines = new Set(agentsOf(team).flatMap(({ runsOn = [] }) => runsOn));
  const detail = [...machines].join(', ');
  return [{ type: 'notice', code: 'files-not-recorded', reason: 'elsewhere', detail }];
}

/** A prompt as it is sent, and what is written down about it. */
export interface PreparedPrompt {
  readonly output: AssemblerOutput;
  readonly sent: SentPrompt;
  /** Number of messages the history would have had without the byte budget. */
  readonly historyLength: number;
}

interface PromptRequest {
  readonly profile: MemberProfile;
  readonly turn: QueuedTurn;
  /** The member's own session, to be continued. */
  readonly session?: MemberSession | undefined;
  /** The system text is the one that the session was told before. */
  readonly hasSameSystemText?: boolean;
  /** Names of those who spoke before the conversation was reopened: the context may lack their messages. */
  readonly speakerNames?: readonly string[];
  /** The files that others changed since its last turn, described. */
  readonly files?: string | undefined;
}

/** Makes the prompt of one turn from what the conversation is now. Throws PromptBudgetError. */
export function preparePrompt(context: ContextManager, request: PromptRequest): PreparedPrompt {
  const { turn, session, speakerNames = [], files } = request;
  const profile = { ...request.profile, memberNames: [...request.profile.memberNames, ...speakerNames] };
  const about = turn.about ?? notItself(context, turn);
  const seen = seenBefore(session);
  const omitsTask = seen.knowsTask === true && context.getTeamTask() !== null;
  const omitsSystemText = hasSystemText(request);
  const options = turnOptions(profile, turn, {
    about,
    files,
    ...seen,
    knowsTask: omitsTask,
    omitsSystemText,
  });
  const promptType = promptTypeOf(profile);
  const input = context.getContextForAgent(turn.memberId, promptType, options);
  const output = context.assemblePrompt(promptType, input);
  const missed = output.trim && profile.memory === 'session' ? findMissed(context, request, options) : [];
  return {
    output,
    historyLength: input.contextMessages.length,
    sent: {
      ...measurePrompt(output),
      latestMessageId: context.getLatestMessage()?.id ?? turn.triggeredBy,
      about,
      lastSeenMessageId: seen.lastSeen,
      nonce: input.guard?.mode === 'fence' ? input.guard.nonce : undefined,
      session: chooseSession(session).kind,
      omitsSystemText: omitsSystemText || undefined,
      omitsTask: omitsTask || undefined,
      afterCutOff: seen.wasCutOff || undefined,
      missed: missed.length > 0 ? missed : undefined,
    },
  };
}

/** The size and the hash of a prompt, as they are written down. */
export function measurePrompt({
  prompt,
  systemFlag = '',
}: AssemblerOutput): Pick<SentPrompt, 'bytes' | 'sha256'> {
  const sha256 = createHash('sha256').update(systemFlag).update('\0').update(prompt).digest('hex');
  return { bytes: utf8Length(prompt) + utf8Length(systemFlag), sha256 };
}

/** The subject of a turn, and the part of its prompt that the member's own session has already. */
interface TurnView extends SeenInSession {
  readonly about?: MessageId | undefined;
  readonly files?: string | undefined;
  readonly omitsSystemText?: boolean | undefined;
}

/** The view that one turn has of the conversation. */
export function turnOptions(
  profile: MemberProfile,
  { triggeredBy, blindRound }: Pick<TurnStart, 'triggeredBy' | 'blindRound'>,
  { about, files, omitsSystemText, ...seen }: TurnView,
): ContextOptions {
  return {
    ...sessionOptions(profile, seen),
    ...(omitsSystemText && { systemInstruction: undefined, instructionFileText: undefined }),
    triggerMessageId: triggeredBy,
    currentMessageId: about,
    files,
    // Also when the round was split by a limit, no member of it sees what the others said.
    ignoresLater: blindRound !== undefined,
  };
}

/** A member's view of the conversation. In a session of its own it is shown all that it has not seen. */
export function sessionOptions(
  profile: MemberProfile,
  { lastSeen, missed, wasCutOff, knowsTask }: SeenInSession,
): ContextOptions {
  if (lastSeen === undefined) return viewOptions(profile);
  return {
    ...viewOptions(profile),
    windowSizeOverride: undefined,
    lastSeenMessageId: lastSeen,
    missedMessages: missed,
    wasCutOff,
    omitsTeamTask: knowsTask,
  };
}

/**
 * Whether the session has the system text already. Told once in a prompt, it does; sent separately, the
 * text counts for one turn only and always goes along.
 */
function hasSystemText({ profile, session, hasSameSystemText = false }: PromptRequest): boolean {
  if (session === undefined || !hasSameSystemText) return false;
  return session.hasSystemInPrompt === true || !hasSystemFlag(promptTypeOf(profile));
}

/** Finds the messages that the byte budget left out. */
function findMissed(
  context: ContextManager,
  { profile, turn }: PromptRequest,
  options: ContextOptions,
): MessageRun[] {
  return listMissed(context.explainPrompt(turn.memberId, promptTypeOf(profile), options).plan);
}

/** The messages of a plan that the byte budget left out. */
export function listMissed({ messages }: PromptPlan): MessageRun[] {
  return messages
    .filter(({ inclusion }) => inclusion === 'budget')
    .map(({ first, last }) => ({ first, last }));
}

/** An agent is never asked about its own words: when it spoke last, the turn is about what triggered it. */
function notItself(context: ContextManager, { memberId, triggeredBy }: QueuedTurn): MessageId | undefined {
  return context.getLatestMessage()?.speaker.roleId === memberId ? triggeredBy : undefined;
}

/** `[Debug][Send]` and, when something was left out, `[Debug][Trim]`. */
export function describeSend({ name }: AgentMember, { output, historyLength }: PreparedPrompt): string {
  const { prompt, systemFlag, trim } = output;
  const lines = [
    `[Debug][Send] to ${name}`,
    ...(systemFlag === undefined ? [] : [`(system) ${systemFlag}`]),
    prompt,
  ];
  if (trim !== undefined) {
    const { droppedMessages, droppedFiles, cutBytes, sections } = trim;
    const files = droppedFiles ? '; FILES left out' : '';
    const cut = cutBytes > 0 ? `; MESSAGE cut to ${sections.message} bytes` : '';
    const kept = historyLength - droppedMessages;
    lines.push(`[Debug][Trim] CONTEXT kept ${kept} of ${historyLength} messages${files}${cut}`);
  }
  return lines.join('\n');
}
