import { homedir } from 'node:os';
import type { AgentManager } from '../agents/AgentManager.js';
import { TurnText } from '../conversation/TurnText.js';
import { PermissionBroker } from '../coordinator/PermissionBroker.js';
import { shortenAnswer } from '../coordinator/runTurn.js';
import type { AgentEvent } from '../models/AgentEvent.js';
import type { ConversationFact, QueuedTurn } from '../models/ConversationEvent.js';
import type { MemberId, MessageId, TurnId } from '../models/ids.js';
import type { Refusal, TurnOutcome } from '../models/TurnOutcome.js';
import type { WorkerFile, WorkerMember } from '../models/WorkerFile.js';
import type { SharedStore } from '../store/postgres/SharedStore.js';
import { redactSecrets } from '../utils/redact.js';
import { replaceStrings } from '../utils/replaceStrings.js';
import { sanitizeToOneLine } from '../utils/sanitize.js';
import { Reporter } from './Reporter.js';
import {
  type BelievedRequest,
  checkSignedRequest,
  type Refused,
  refuse,
  type SignedRequest,
  type WorkerFacts,
} from './requests.js';
import type { ClaimedTurn, TurnRow, TurnTable } from './TurnTable.js';
import type { WorkerMemory } from './WorkerMemory.js';

const MINUTE = 60_000;

/** News of a worker for the person who started it. */
export type WorkerNews =
  | { readonly kind: 'asked'; readonly asker: string; readonly turn: ClaimedTurn }
  | {
      readonly kind: 'ended';
      readonly turn: ClaimedTurn;
      readonly outcome: TurnOutcome;
      readonly milliseconds: number;
    }
  | { readonly kind: 'withdrawn'; readonly turn: ClaimedTurn }
  | { readonly kind: 'refused'; readonly turn: ClaimedTurn; readonly refusal: Refusal };

export interface TurnParts {
  readonly store: SharedStore;
  readonly table: TurnTable;
  readonly memory: WorkerMemory;
  readonly file: WorkerFile;
  /** Makes what runs a member: by this entry, in its folder. */
  readonly createAgents: (entry: WorkerMember) => AgentManager;
  readonly clock: () => number;
  readonly tell: (news: WorkerNews) => void;
}

/** Checks a turn that was claimed, runs it and reports it. */
export async function takeTurn(turn: ClaimedTurn, parts: TurnParts, stop: AbortController): Promise<void> {
  const { store, memory, file, clock, tell } = parts;
  const { role, storeId } = store.database;
  const checked = checkTurn(turn, { file, role, storeId, now: clock() });
  if (checked.kind === 'refused') return reportRefusal(turn, checked.refusal, parts);
  const { request } = checked;
  const place = { conversation: request.conversation, turn: request.body.turn };
  // Before anything is started, and on this machine's own disk.
  if (!memory.begin(place, request.expires)) return reportRefusal(turn, { because: 'asked-before' }, parts);
  tell({ kind: 'asked', asker: checked.askers[0], turn });
  await run({ turn, ...checked }, parts, stop);
}

export interface TurnCheckFacts extends WorkerFacts {
  readonly file: Pick<WorkerFile, 'members' | 'askers'>;
}

interface BelievedTurn extends BelievedRequest<'turn'> {
  readonly entry: WorkerMember;
}

/** Decides by the worker's own file whether it runs a turn. */
export function checkTurn(row: TurnRow, facts: TurnCheckFacts): BelievedTurn | Refused<Refusal> {
  const isOfRow = ({ turn, member }: { turn: string; member: string }) =>
    turn === row.turn && member === row.member;
  const checked = checkSignedRequest('turn', row, facts, isOfRow);
  if (checked.kind === 'refused') return checked;
  const { askers, request } = checked;
  const { member: memberId, agentType } = request.body;
  const entry = facts.file.members.find(({ member }) => member.id === memberId);
  if (entry === undefined) return refuse({ because: 'not-offered', agentType });
  if (entry.askers !== undefined && !askers.some((name) => entry.askers?.includes(name)))
    return refuse({ because: 'asker-not-allowed', asker: askers[0] });
  if (entry.member.agentType !== agentType)
    return refuse({ because: 'other-agent', agentType: entry.member.agentType });
  return { ...checked, entry };
}

async function reportRefusal(
  turn: ClaimedTurn,
  refusal: Refusal,
  { store, table, tell }: TurnParts,
): Promise<void> {
  tell({ kind: 'refused', turn, refusal });
  const reporter = new Reporter({ table, listener: store.listener, turn, onStop: () => undefined });
  const outcome = refusedBy(store.database.role, turn.member, refusal, '');
  await reporter.end({ type: 'end', outcome });
}

interface RunningTurn extends BelievedTurn {
  readonly turn: ClaimedTurn;
}

/** Runs a turn by the worker's own entry; of the request only text and limits count. */
async function run(running: RunningTurn, parts: TurnParts, stop: AbortController): Promise<void> {
  const { turn, request, entry } = running;
  const { store, table, memory, tell, createAgents } = parts;
  const { conversation } = request;
  const { member } = turn;
  const began = performance.now();
  const withdrawal = new AbortController();
  let isTooLarge = false;
  const reporter = new Reporter({
    table,
    listener: store.listener,
    turn,
    onStop: (reason) => {
      isTooLarge = reason === 'too-large';
      withdrawal.abort();
    },
  });
  const text = new TurnText();
  const report = (event: AgentEvent): void => {
    if (event.type === 'session') memory.keepSession({ conversation, member, sessionId: event.sessionId });
    text.add(event);
    reporter.add(event);
  };
  const agents = createAgents(entry);
  let outcome: TurnOutcome;
  try {
    const signal = AbortSignal.any([stop.signal, withdrawal.signal]);
    outcome = isForeign(request, memory)
      ? SESSION_UNKNOWN
      : await follow(running, parts.file, { agents, report, signal });
  } catch (error) {
    outcome = broken(error, text.text);
  } finally {
    await agents.close();
  }
  if (isTooLarge) outcome = refusedBy(store.database.role, member, { because: 'too-large' }, text.text);
  else if (outcome.kind === 'cancelled') outcome = { kind: 'interrupted', draft: outcome.draft };
  const told = await shortenAnswer(hidePlaces(outcome, entry), () => undefined);
  await reporter.end({ type: 'end', outcome: told });
  if (reporter.state !== 'ended') tell({ kind: 'withdrawn', turn });
  else tell({ kind: 'ended', turn, outcome: told, milliseconds: performance.now() - began });
}

interface AgentRun {
  readonly agents: AgentManager;
  readonly report: (event: AgentEvent) => void;
  readonly signal: AbortSignal;
}

async function follow(
  { request, entry }: RunningTurn,
  file: WorkerFile,
  { agents, report, signal }: AgentRun,
): Promise<TurnOutcome> {
  const { prompt, systemText: systemFlag, session, sessionTotals, turn, member, limits } = request.body;
  const queued: QueuedTurn = {
    turnId: turn as TurnId,
    memberId: member as MemberId,
    triggeredBy: '' as MessageId,
  };
  const broker = new PermissionBroker({
    asksPeople: false,
    record: (facts) => facts.flatMap(eventsOf).forEach(report),
    kept: () => undefined,
    onFailure: () => undefined,
  });
  const asked = {
    prompt,
    systemFlag,
    session,
    sessionTotals,
    limits: {
      idleMilliseconds: Math.min(limits.idleMilliseconds, file.limits.idleMinutes * MINUTE),
      totalMilliseconds: Math.min(limits.totalMilliseconds, file.limits.turnMinutes * MINUTE),
    },
    turnName: `${turn} of session ${request.conversation}`,
    askPermission: (question: Parameters<PermissionBroker['ask']>[2]) =>
      broker.ask(entry.member, queued, question),
  };
  let outcome: TurnOutcome | undefined;
  for await (const event of agents.runTurn(entry.member, asked, signal)) {
    if (event.type === 'end') outcome ??= event.outcome;
    else report(event);
  }
  return outcome ?? broken(undefined, '');
}

/** Facts of the broker as events of the turn. */
function eventsOf(fact: ConversationFact): AgentEvent[] {
  if (fact.type === 'turn-activity') return [fact.event];
  if (fact.type !== 'permission-decided') return [];
  const { turnId: _turn, memberId: _member, ...decided } = fact;
  return [decided];
}

/** Whether a request wants to continue a session that this machine did not make for that conversation and member. */
function isForeign({ conversation, body }: SignedRequest<'turn'>, memory: WorkerMemory): boolean {
  const { session, member } = body;
  if (session.kind === 'new') return false;
  return !memory.ownsSession({ conversation, member, sessionId: session.sessionId });
}

const SESSION_UNKNOWN: TurnOutcome = {
  kind: 'failed',
  failure: { code: 'SESSION_UNKNOWN', reason: 'session-unknown' },
  draft: '',
};

function broken(error: unknown, draft: string): TurnOutcome {
  const detail = error === undefined ? undefined : sanitizeToOneLine(redactSecrets(String(error)));
  return { kind: 'failed', failure: { code: 'SPAWN', reason: 'adapter-broke', detail }, draft };
}

function refusedBy(worker: string, member: string, refusal: Refusal, draft: string): TurnOutcome {
  const failure = {
    code: 'WORKER_REFUSED',
    reason: 'worker-refused',
    worker,
    member,
    ...refusal,
  } as const;
  return { kind: 'failed', failure, draft };
}

/** A failure without the folders of this machine and without what looks like a secret: where and how it starts things is its own. */
export function hidePlaces(outcome: TurnOutcome, { folder }: WorkerMember): TurnOutcome {
  if (outcome.kind !== 'failed') return outcome;
  const places = [
    { path: folder, shown: '[folder]' },
    { path: homedir(), shown: '~' },
  ].filter(({ path }) => path.length > 1);
  const hide = (text: string): string =>
    places.reduce((hidden, { path, shown }) => hidden.replaceAll(path, shown), redactSecrets(text));
  return {
    ...outcome,
    failure: replaceStrings(structuredClone(outcome.failure), hide) as typeof outcome.failure,
  };
}
