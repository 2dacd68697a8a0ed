import { createHash } from 'node:crypto';
import type { SessionChoice } from '../agents/AgentAdapter.js';
import type { MemberTurn } from '../agents/AgentManager.js';
import type { ContextManager } from '../context/ContextManager.js';
import type { AssemblerOutput, ContextOptions } from '../context/types.js';
import type { ConversationStatus } from '../conversation/ConversationStatus.js';
import {
  forkOf,
  type MemberSession,
  type SeenInSession,
  seenBefore,
  sessionIn,
} from '../conversation/memberSession.js';
import type {
  MemberProfile,
  MessageRun,
  QueuedTurn,
  SentPrompt,
  TurnStart,
} from '../models/ConversationEvent.js';
import type { MessageId } from '../models/ids.js';
import type { AgentMember, Team } from '../models/Team.js';
import { utf8Length } from '../utils/bytes.js';
import { tellFiles } from './files/tellFiles.js';
import { createProfile, promptTypeOf, viewOptions } from './memberProfile.js';

/** A prompt as it is sent, and what is written down about it. */
export interface PreparedPrompt {
  readonly output: AssemblerOutput;
  readonly sent: SentPrompt;
  /** Number of messages the history would have had without the byte budget. */
  readonly historyLength: number;
}

/** A turn that is ready to run: its prompt, and what the agent is asked with. */
export interface PreparedTurn extends PreparedPrompt {
  readonly request: MemberTurn;
}

/** Chooses the session of a turn and makes its prompt. Throws PromptBudgetError. */
export function prepareTurn(
  context: ContextManager,
  team: Team,
  member: AgentMember,
  turn: QueuedTurn,
  { memory, changes }: Pick<ConversationStatus, 'memory' | 'changes'>,
  place: Pick<TurnStart, 'copy'> = {},
): PreparedTurn {
  const { sessions, profiles, speakerNames } = memory;
  const session = member.memory === 'session' ? sessionIn(sessions.get(member.id), place) : undefined;
  const hasSameSystemText = session?.systemSha256 === profiles.get(member.id)?.systemSha256;
  const profile = createProfile(team, member);
  const files = tellFiles(changes, { memberId: member.id, profile, isContinued: session !== undefined });
  const prepared = preparePrompt(context, { profile, turn, session, hasSameSystemText, speakerNames, files });
  const { prompt, systemFlag } = prepared.output;
  const request = { prompt, systemFlag, ...(turn.checks !== undefined && { checks: turn.checks }) };
  if (session === undefined) return { ...prepared, request };
  const { sessionId, totals } = session;
  const fork = forkOf(session);
  const choice: SessionChoice =
    fork === undefined ? { kind: 'resume', sessionId } : { kind: 'fork', sessionId, ...fork };
  return { ...prepared, request: { ...request, session: choice, sessionTotals: totals } };
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
  const { lastSeen, wasCutOff } = seen;
  const omitsTask = seen.knowsTask === true && context.getTeamTask() !== null;
  const full = turnOptions(profile, turn, { about, files, ...seen, knowsTask: omitsTask });
  const omitsSystemText = hasSystemText(context, request);
  const options = omitsSystemText ? omitSystemText(full) : full;
  const promptType = promptTypeOf(profile);
  const input = context.getContextForAgent(turn.memberId, promptType, options);
  const output = context.assemblePrompt(promptType, input);
  const missed = output.trim && profile.memory === 'session' ? findMissed(context, request, options) : [];
  const nonce = input.guard?.mode === 'fence' ? input.guard.nonce : undefined;
  return {
    output,
    historyLength: input.contextMessages.length,
    sent: {
      bytes: utf8Length(output.prompt) + utf8Length(output.systemFlag ?? ''),
      sha256: hashPrompt(output),
      latestMessageId: context.getLatestMessage()?.id ?? turn.triggeredBy,
      ...(about !== undefined && { about }),
      ...(lastSeen !== undefined && { lastSeenMessageId: lastSeen }),
      ...(nonce !== undefined && { nonce }),
      session: kindOf(session),
      ...(omitsSystemText && { omitsSystemText }),
      ...(omitsTask && { omitsTask }),
      ...(wasCutOff && { afterCutOff: true }),
      ...(missed.length > 0 && { missed }),
    },
  };
}

function kindOf(session: MemberSession | undefined): SentPrompt['session'] {
  if (session === undefined) return 'new';
  return forkOf(session) === undefined ? 'resume' : 'fork';
}

/** A member's view of the conversation. In a session of its own it is shown all that it has not seen. */
export function sessionOptions(
  profile: MemberProfile,
  { lastSeen, missed, wasCutOff, knowsTask }: SeenInSession,
): ContextOptions {
  if (lastSeen === undefined) return viewOptions(profile);
  const { windowSizeOverride: _, ...view } = viewOptions(profile);
  return {
    ...view,
    lastSeenMessageId: lastSeen,
    missedMessages: missed,
    ...(wasCutOff && { wasCutOff }),
    ...(knowsTask && { omitsTeamTask: true }),
  };
}

/** The message a turn is about, and the changed files it is told of. */
interface TurnSubject {
  readonly about?: MessageId | undefined;
  readonly files?: string | undefined;
}

/** The view that one turn has of the conversation. */
export function turnOptions(
  profile: MemberProfile,
  { triggeredBy, blindRound }: Pick<QueuedTurn, 'triggeredBy' | 'blindRound'>,
  { about, files, ...seen }: SeenInSession & TurnSubject,
): ContextOptions {
  return {
    ...sessionOptions(profile, seen),
    triggerMessageId: triggeredBy,
    ...(about !== undefined && { currentMessageId: about }),
    ...(files !== undefined && { files }),
    // Also when the round was split by a limit, no member of it sees what the others said.
    ...(blindRound !== undefined && { ignoresLater: true }),
  };
}

/** Without the system text, which a session was told before. */
export function omitSystemText(options: ContextOptions): ContextOptions {
  return { ...options, systemInstruction: undefined, instructionFileText: undefined };
}

/**
 * Whether the session has the system text already. Told once in a prompt, it does; sent separately, the
 * text counts for one turn only and always goes along.
 */
function hasSystemText(
  context: ContextManager,
  { profile, session, hasSameSystemText = false }: PromptRequest,
): boolean {
  if (session === undefined || !hasSameSystemText) return false;
  if (session.hasSystemInPrompt) return true;
  const text = { currentMessage: '', teamTask: null, systemInstruction: '-' };
  const probe = { ...text, contextMessages: [], maxBytes: 100 };
  return context.assemblePrompt(promptTypeOf(profile), probe).systemFlag === undefined;
}

/** Finds the messages that the byte budget left out. */
function findMissed(
  context: ContextManager,
  { profile, turn }: PromptRequest,
  options: ContextOptions,
): MessageRun[] {
  const { plan } = context.explainPrompt(turn.memberId, promptTypeOf(profile), options);
  return plan.messages
    .filter(({ inclusion }) => inclusion === 'budget')
    .map(({ first, last }) => ({ first, last }));
}

/** An agent is never asked about its own words: when it spoke last, the turn is about what triggered it. */
function notItself(context: ContextManager, { memberId, triggeredBy }: QueuedTurn): MessageId | undefined {
  return context.getLatestMessage()?.speaker.roleId === memberId ? triggeredBy : undefined;
}

export function hashPrompt({ prompt, systemFlag = '' }: AssemblerOutput): string {
  return createHash('sha256').update(systemFlag).update('\0').update(prompt).digest('hex');
}
