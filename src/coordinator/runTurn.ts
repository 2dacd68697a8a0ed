import { setImmediate } from 'node:timers/promises';
import type { PermissionQuestion } from '../agents/AgentAdapter.js';
import type { AgentManager } from '../agents/AgentManager.js';
import type { OpenTurn } from '../conversation/Agenda.js';
import type {
  ActivityEvent,
  AgentEvent,
  ProgressEvent,
  TurnUsage,
  UsageEvent,
} from '../models/AgentEvent.js';
import type { ConversationFact, QueuedTurn, SentPrompt } from '../models/ConversationEvent.js';
import { reasonInEnglish } from '../models/errors.js';
import type { AgentMember, Team } from '../models/Team.js';
import type { TurnOutcome } from '../models/TurnOutcome.js';
import { KEPT_BEGINNING_BYTES, KEPT_END_BYTES, MAX_MESSAGE_ANSWER_BYTES } from '../models/textLimits.js';
import { isAmount, isTokenCount, NO_TOKENS } from '../models/usageFigures.js';
import { findAgent, requireAgent } from '../routing/teamMembers.js';
import type { Claim, ConversationLog } from '../store/Store.js';
import { lastBytes, truncateToBytes, utf8Length } from '../utils/bytes.js';
import { fileReasonOf } from '../utils/fileReason.js';
import { redactSecrets } from '../utils/redact.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import type { EndedTurn, FinishedTurn } from './concludeTurn.js';
import type { PermissionBroker } from './PermissionBroker.js';
import { describeAddress, type PreparedTurn } from './prepareTurn.js';
import type { TurnFolders } from './Round.js';

/** A turn that runs, here or on another machine. */
export interface RunningTurn {
  readonly turn: QueuedTurn;
  readonly member: AgentMember;
  readonly session: SentPrompt['session'];
  readonly events: AsyncIterable<AgentEvent>;
  readonly folders?: TurnFolders | undefined;
  /** Milliseconds since it began, when it is followed from now on only. */
  readonly milliseconds?: number;
  /** The part of its result that was recorded before. */
  readonly known?: Pick<FinishedTurn, 'sessionId' | 'holdsPrompt'>;
}

/** A step of a turn, by what becomes of it. */
export type TurnStep =
  | {
      readonly kind: 'facts';
      readonly facts: readonly ConversationFact[];
      readonly claim?: Claim | undefined;
    }
  /** Shown, not recorded. */
  | { readonly kind: 'progress'; readonly event: ProgressEvent }
  /** The outcome is known, while the agent may still be leaving. Comes exactly once. */
  | { readonly kind: 'end'; readonly ended: EndedTurn };

interface RunningParts {
  readonly agents: Pick<AgentManager, 'reportOf'>;
  readonly log: Pick<ConversationLog, 'saveAnswer'>;
}

/**
 * Follows one turn until nothing of the agent is left: its events become facts. What goes wrong with the agent is an
 * outcome of the turn; leaving the loop stops it.
 */
export async function* runTurn(
  { turn, member, session, events, folders, milliseconds = 0, known = {} }: RunningTurn,
  { agents, log }: RunningParts,
): AsyncGenerator<TurnStep, void, undefined> {
  const { turnId, memberId } = turn;
  let began = performance.now() - milliseconds;
  let finished: Omit<FinishedTurn, 'outcome'> = known;
  let hasEnded = false;
  const end = async (whole: TurnOutcome, claim?: Claim): Promise<TurnStep> => {
    hasEnded = true;
    const took = Math.round(performance.now() - began);
    const outcome = await shortenAnswer(whole, (text) => log.saveAnswer?.(turnId, text));
    return {
      kind: 'end',
      ended: { ...finished, outcome, turn, member, session, milliseconds: took, claim },
    };
  };
  const note = (event: ActivityEvent, claim?: Claim): TurnStep => {
    const activity = { type: 'turn-activity', turnId, memberId, event } as const;
    return { kind: 'facts', facts: [activity, ...(folders?.report(turn, event) ?? [])], claim };
  };
  try {
    for await (const event of events) {
      const claim = claimOf(turn, agents.reportOf(event));
      switch (event.type) {
        case 'end':
          if (!hasEnded) yield await end(event.outcome, claim);
          break;
        case 'session': {
          const { sessionId, mark: sessionMark = finished.sessionMark } = event;
          const { holdsPrompt = finished.holdsPrompt } = event;
          // A mark counts when the turn is over, and then it is said with its end.
          const isNews = sessionId !== finished.sessionId || holdsPrompt !== finished.holdsPrompt;
          finished = { ...finished, sessionId, sessionMark, holdsPrompt };
          if (isNews) yield note(event, claim);
          break;
        }
        case 'usage': {
          const { usage, sessionTotals, ...doubt } = checkUsage(event);
          const checked = usage && { usage, ...(sessionTotals && { sessionTotals }) };
          finished = { ...finished, ...checked, ...doubt };
          if (checked) yield { kind: 'progress', event: { type: 'usage', ...checked } };
          break;
        }
        case 'tool-start':
        case 'tool-end':
        case 'file-change':
        case 'todo-list':
        case 'permission-request':
        case 'retry':
        case 'error':
        case 'warning':
          yield note(event, claim);
          // It was written to disk, and many can come at once: keys and timers get their turn in between.
          await setImmediate();
          break;
        case 'permission-decided':
          yield { kind: 'facts', facts: [{ ...event, turnId, memberId }], claim };
          break;
        case 'waiting':
          // The wait for a worker is no time of the turn.
          if (event.isOver) began = performance.now() - milliseconds;
          yield { kind: 'progress', event };
          break;
        case 'text':
        case 'text-delta':
        case 'text-reset':
        case 'thinking':
        case 'tool-detail':
        case 'raw':
          yield { kind: 'progress', event };
      }
    }
    if (!hasEnded) yield await end(brokenTurn());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    yield hasEnded ? note({ type: 'error', message: reason }) : await end(brokenTurn(reason));
  }
}

function claimOf({ turnId }: QueuedTurn, upTo: number | undefined): Claim | undefined {
  return upTo === undefined ? undefined : { reports: { turnId, upTo } };
}

/** The outcome of a turn whose adapter threw, or ended without an end: only this turn has failed. */
function brokenTurn(reason?: string): TurnOutcome {
  const detail = reason === undefined ? undefined : sanitizeToOneLine(redactSecrets(reason));
  return { kind: 'failed', failure: { code: 'SPAWN', reason: 'adapter-broke', detail }, draft: '' };
}

/** Starts a turn in its folder. Without one it does not run anywhere else: it would overwrite what it must not touch. */
export async function* startAgent(
  { turn, member, request, folders }: PreparedTurn,
  agents: AgentManager,
  permissions: PermissionBroker,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void, undefined> {
  const askPermission = (question: PermissionQuestion) => permissions.ask(member, turn, question);
  const entered = await folders?.enter(turn, signal);
  if (entered === undefined) yield* agents.runTurn(member, { ...request, askPermission }, signal);
  else if (entered.kind === 'ready')
    yield* agents.runTurn(member, { ...request, askPermission, workingFolder: entered.folder }, signal);
  else if (signal.aborted) yield { type: 'end', outcome: { kind: 'cancelled', draft: '' } };
  else {
    const { detail, failure = { code: 'SPAWN', reason: 'no-copy', detail } } = entered;
    yield { type: 'end', outcome: { kind: 'failed', failure, draft: '' } };
  }
}

/** Whether a turn may still run on another machine, although the process that asked for it is gone. */
export function canAdopt(turn: OpenTurn, team: Team, agents: Pick<AgentManager, 'runsElsewhere'>): boolean {
  const member = findAgent(team, turn.memberId);
  return turn.runsOn !== undefined && member?.runsOn === turn.runsOn && agents.runsElsewhere(member);
}

interface AdoptingParts {
  readonly team: Team;
  readonly log: Pick<ConversationLog, 'id'>;
  readonly agents: Pick<AgentManager, 'adopt'>;
  readonly clock: () => number;
}

/** A turn that outlived the process that started it, to be followed from now on; null when nothing is known of it. */
export async function adoptTurn(
  turn: OpenTurn,
  { log: { id }, team, agents, clock }: AdoptingParts,
  signal: AbortSignal,
): Promise<RunningTurn | null> {
  const member = requireAgent(team, turn.memberId);
  const events = await agents.adopt(describeAddress(id, turn, member), signal);
  if (events === null) return null;
  const { sessionId, sessionHoldsPrompt: holdsPrompt, prompt, at = clock() } = turn;
  const milliseconds = Math.max(0, clock() - at);
  return { turn, member, session: prompt.session, events, known: { sessionId, holdsPrompt }, milliseconds };
}

/** Keeps the figures that can be true: tokens, money, both or nothing. */
function checkUsage({
  usage,
  sessionTotals,
}: UsageEvent): Pick<FinishedTurn, 'usage' | 'sessionTotals' | 'isDoubtful'> {
  const { usd, ...tokens } = usage;
  const hasTokens = areTokens(tokens);
  const hasMoney = isAmount(usd);
  const isTrue = hasTokens && (hasMoney || usd === undefined);
  return {
    ...((hasTokens || hasMoney) && {
      usage: { ...(hasTokens ? limitCached(tokens) : NO_TOKENS), ...(hasMoney && { usd }) },
      ...(isWhole(sessionTotals) && { sessionTotals }),
    }),
    ...(!isTrue && { isDoubtful: true }),
  };
}

function areTokens({ inputTokens, cachedInputTokens, outputTokens }: TurnUsage): boolean {
  return [inputTokens, cachedInputTokens, outputTokens].every(isTokenCount);
}

/** The totals of a session are compared with the next ones, so they are taken whole or not at all. */
function isWhole(totals: TurnUsage | undefined): boolean {
  return totals !== undefined && areTokens(totals) && (totals.usd === undefined || isAmount(totals.usd));
}

/** A part is never more than the whole, or a price by the token would be less than nothing. */
function limitCached(tokens: TurnUsage): TurnUsage {
  return { ...tokens, cachedInputTokens: Math.min(tokens.cachedInputTokens, tokens.inputTokens) };
}

/** Saves a whole answer and gives its file; nothing where no file can be saved. */
type SaveAnswer = (text: string) => Promise<string> | undefined;

/** Cuts the middle out of an answer or draft that is too long for a message. The whole goes to a file, which the mark names. */
export async function shortenAnswer(outcome: TurnOutcome, save: SaveAnswer): Promise<TurnOutcome> {
  if (outcome.kind === 'completed') return { ...outcome, text: await shorten(outcome.text, save) };
  return { ...outcome, draft: await shorten(outcome.draft, save) };
}

async function shorten(text: string, save: SaveAnswer): Promise<string> {
  const bytes = utf8Length(text);
  if (bytes <= MAX_MESSAGE_ANSWER_BYTES) return text;
  const beginning = truncateToBytes(text, KEPT_BEGINNING_BYTES);
  const end = lastBytes(text, KEPT_END_BYTES);
  const cutBytes = bytes - utf8Length(beginning) - utf8Length(end);
  return `${beginning}\n\n[… ${sanitizeToOneLine(await describeCut(cutBytes, text, save))}]\n\n${end}`;
}

/** Describes the cut in English like the rest of the prompt: agents read it, and the log keeps it as part of the message. */
async function describeCut(bytes: number, text: string, save: SaveAnswer): Promise<string> {
  try {
    const file = await save(text);
    return file === undefined
      ? `${bytes} bytes cut here and not saved`
      : `${bytes} bytes cut here; the whole answer: ${file}`;
  } catch (error) {
    return `${bytes} bytes cut here, which could not be saved: ${reasonInEnglish(fileReasonOf(error))}`;
  }
}
