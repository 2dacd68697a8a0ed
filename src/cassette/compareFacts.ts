import { isDeepStrictEqual } from 'node:util';
import type {
  ConversationFact,
  MemberProfile,
  MemberSettings,
  MemberSummary,
  PermissionDecided,
  RecordedEvent,
  TeamSummary,
  TurnStart,
} from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';
import type { Difference, OtherDecision, OtherFact, OtherSetting } from './Difference.js';
import { type FactPair, pairFacts } from './pairFacts.js';

/** Everything that differs but for the texts of prompts, and the turns whose prompts do. */
export interface ComparedFacts {
  readonly differences: readonly Difference[];
  readonly prompts: readonly TurnStart[];
}

export interface ComparedParts {
  /** Facts that were taken as they are: they say what the profiles were. */
  readonly history: readonly RecordedEvent[];
  readonly before: readonly RecordedEvent[];
  readonly now: readonly RecordedEvent[];
  /** The play ended before the recording: what only the recording has says nothing. */
  readonly hasParted: boolean;
  /** Turns that start instead, or do not, tell what is queued. */
  readonly hidesQueue: boolean;
}

/** Compares the facts of a recording with those of its play. */
export function compareFacts({ history, before, now, hasParted, hidesQueue }: ComparedParts): ComparedFacts {
  const all = pairFacts(before, now);
  const end = hasParted ? all.findLastIndex((pair) => pair.now !== undefined) + 1 : all.length;
  const pairs = all.slice(0, end);
  const prompts = pairs.flatMap((pair) => (areTurns(pair) && hasOtherPrompt(pair) ? pair.before : []));
  const shown = new Set<MemberId | undefined>(prompts.map(({ memberId }) => memberId));
  const recorded = [...history, ...before];
  const settings = compareSettings(recorded, [...history, ...now]);
  return {
    prompts,
    differences: [
      ...settings.filter(({ memberId, field }) => !SHOWN_IN_PROMPTS.includes(field) || !shown.has(memberId)),
      ...pairs.flatMap((pair) => comparePair(pair, recorded, hidesQueue)),
    ],
  };
}

/** The fields that differ, with both values; undefined: not set. */
export function differingFields(
  before: object | undefined,
  now: object | undefined,
): { readonly field: string; readonly before: unknown; readonly now: unknown }[] {
  const [old, current]: Readonly<Record<string, unknown>>[] = [{ ...before }, { ...now }];
  return Object.keys({ ...old, ...current })
    .map((field) => ({ field, before: old?.[field], now: current?.[field] }))
    .filter((one) => !isDeepStrictEqual(plain(one.before), plain(one.now)));
}

/** As JSON has it: fields that are undefined are absent. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Texts that every prompt has: what changed in them is told of prompts, if there are any. */
const SHOWN_IN_PROMPTS: readonly string[] = [
  'systemInstruction',
  'instructionFileText',
] satisfies (keyof MemberProfile)[];

/** The team and its members, as a log says them last. */
interface KnownTeam {
  readonly team: TeamSummary | undefined;
  readonly members: ReadonlyMap<MemberId, KnownMember>;
}

interface KnownMember {
  readonly summary?: MemberSummary;
  readonly profile?: Omit<MemberProfile, 'memberNames'>;
  /** Old recordings do not have them. */
  readonly settings?: MemberSettings | undefined;
}

function lastTeamIn(events: readonly RecordedEvent[]): KnownTeam {
  const [start] = events;
  const team = start?.type === 'conversation-start' ? start.team : undefined;
  const members = new Map<MemberId, KnownMember>(team?.members.map((summary) => [summary.id, { summary }]));
  for (const event of events) {
    if (event.type !== 'profile-changed') continue;
    const { memberId, settings } = event;
    // Every prompt has the names of all.
    const { memberNames: _, ...profile } = event.profile;
    members.set(memberId, { ...members.get(memberId), profile, settings });
  }
  return { team, members };
}

function compareSettings(
  recorded: readonly RecordedEvent[],
  played: readonly RecordedEvent[],
): OtherSetting[] {
  const [before, now] = [lastTeamIn(recorded), lastTeamIn(played)];
  const orders = [before, now].map(({ team }) => team?.members.map(({ id }) => id));
  const isSameSet = isDeepStrictEqual(orders[0]?.toSorted(), orders[1]?.toSorted());
  const ofTeam = ({ team }: KnownTeam, order: unknown) => ({ name: team?.name, order: isSameSet && order });
  const ids = new Set([...before.members.keys(), ...now.members.keys()]);
  return [
    ...differingFields(ofTeam(before, orders[0]), ofTeam(now, orders[1])),
    ...[...ids].flatMap((memberId) =>
      compareMembers(before.members.get(memberId), now.members.get(memberId)).map((one) => ({
        memberId,
        ...one,
      })),
    ),
  ].map((one) => ({ kind: 'settings', ...one }));
}

/** Each field once, though summary and settings share some; a member that only one of the teams has, as a whole. */
function compareMembers(before: KnownMember | undefined, now: KnownMember | undefined) {
  const nameOf = ({ summary, profile }: KnownMember) => summary?.name ?? profile?.agentName;
  if (before === undefined || now === undefined)
    return [{ field: 'member', before: before && nameOf(before), now: now && nameOf(now) }];
  const all = (['summary', 'profile', 'settings'] as const).flatMap((part) =>
    before[part] === undefined ? [] : differingFields(before[part], now[part]),
  );
  return all.filter(({ field }, index) => all.findIndex((one) => one.field === field) === index);
}

/** Compares one fact; nothing of what is told as a setting or a prompt. */
function comparePair(
  pair: FactPair,
  recorded: readonly RecordedEvent[],
  hidesQueue: boolean,
): readonly Difference[] {
  const fact = pair.before ?? pair.now;
  switch (fact?.type) {
    case 'conversation-start':
    case 'profile-changed':
      return [];
    case 'turn-start':
      return areTurns(pair) ? compareTurns(pair) : [];
    case 'permission-decided':
      return compareDecisions(fact, pair, recorded);
    case 'turn-activity':
      return fact.event.type === 'permission-request' ? [] : compareWhole(pair);
    case 'turns-queued':
    case 'turns-dropped':
      return hidesQueue ? [] : compareWhole(pair);
    default:
      return compareWhole(pair);
  }
}

interface TurnPair {
  readonly before: RecordedEvent & TurnStart;
  readonly now: RecordedEvent & TurnStart;
}

function areTurns(pair: FactPair): pair is TurnPair {
  return pair.before?.type === 'turn-start' && pair.now?.type === 'turn-start';
}

function hasOtherPrompt({ before, now }: TurnPair): boolean {
  return before.prompt.sha256 !== now.prompt.sha256;
}

function compareTurns(pair: TurnPair): readonly Difference[] {
  const { turnId, memberId } = pair.before;
  const settingsOf = ({ prompt, copy }: TurnStart) => ({
    session: prompt.session,
    workspace: copy ? 'copy' : 'shared',
  });
  return [
    ...differingFields(settingsOf(pair.before), settingsOf(pair.now)).map(
      (one) => ({ kind: 'settings', memberId, turnId, ...one }) as const,
    ),
    ...(hasOtherPrompt(pair) ? [] : compareWhole(pair)),
  ];
}

function compareDecisions(
  { turnId, memberId, requestId }: PermissionDecided,
  pair: FactPair,
  recorded: readonly RecordedEvent[],
): OtherDecision[] {
  const decisionOf = (fact: RecordedEvent | undefined): OtherDecision['before'] =>
    fact?.type === 'permission-decided' ? { decision: fact.decision, by: fact.by } : undefined;
  const [before, now] = [decisionOf(pair.before), decisionOf(pair.now)];
  if (isDeepStrictEqual(before, now)) return [];
  const asked = recorded.flatMap((event) => (event.type === 'turn-activity' ? event.event : []));
  const request = asked.find((event) => event.type === 'permission-request' && event.requestId === requestId);
  const { name, input } = request?.type === 'permission-request' ? request : { name: '', input: '' };
  return [{ kind: 'permission', turnId, memberId, requestId, name, input, before, now }];
}

function compareWhole({ before, now }: FactPair): OtherFact[] {
  if (before !== undefined && now !== undefined && isDeepStrictEqual(comparable(before), comparable(now)))
    return [];
  return [{ kind: 'fact', before: before && withoutPlace(before), now: now && withoutPlace(now) }];
}

/** A fact without its place, without what is told as a setting of a turn, and without fields that programs add to messages. */
function comparable(event: RecordedEvent): unknown {
  const fact = withoutPlace(event);
  if (fact.type === 'message-added') {
    const { content, speaker, routing = {} } = fact.message;
    return plain({ ...fact, message: { content, speaker, routing } });
  }
  if (fact.type !== 'turn-start') return plain(fact);
  const { copy: _copy, prompt, ...turn } = fact;
  return plain({ ...turn, prompt: { ...prompt, session: undefined } });
}

function withoutPlace({ v: _v, seq: _seq, at: _at, ...fact }: RecordedEvent): ConversationFact {
  return fact as ConversationFact;
}
