import { isDeepStrictEqual } from 'node:util';
import type {
  ConversationFact,
  PermissionDecided,
  ProfileChanged,
  RecordedEvent,
  TurnActivity,
  TurnStart,
} from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';
import { alignFacts, type FactPair } from './alignFacts.js';
import { compareProfiles, compareTeams, TEXT_FIELDS } from './compareSettings.js';
import type { Difference, OtherSetting } from './Difference.js';

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
  const comparison = new Comparison([...history, ...before], [...history, ...now]);
  const pairs = alignFacts(before, now);
  const last = pairs.findLastIndex((pair) => pair.now !== undefined);
  for (const [index, pair] of pairs.entries())
    if (pair.now !== undefined || !hasParted || index < last) comparison.take(pair, hidesQueue);
  return { differences: comparison.differences(), prompts: comparison.prompts };
}

class Comparison {
  readonly prompts: TurnStart[] = [];
  readonly #differences: Difference[] = [];
  readonly #requests = new Map<string, Extract<TurnActivity['event'], { type: 'permission-request' }>>();
  /** Profiles of the members, as the recording leaves them and as its play does. */
  readonly #profiles: Record<'before' | 'now', ReadonlyMap<MemberId, ProfileChanged>>;
  /** Members that only one of the two teams has. */
  readonly #strangers = new Set<MemberId | undefined>();

  constructor(recorded: readonly RecordedEvent[], played: readonly RecordedEvent[]) {
    this.#profiles = { before: lastProfiles(recorded), now: lastProfiles(played) };
    for (const event of recorded)
      if (event.type === 'turn-activity' && event.event.type === 'permission-request')
        this.#requests.set(event.event.requestId, event.event);
  }

  /** Settings of a member are said once; its texts only if no prompt shows them. */
  differences(): Difference[] {
    const asked = new Set(this.prompts.map(({ memberId }) => memberId));
    const said = new Set<string>();
    return this.#differences.filter((difference) => {
      if (difference.kind !== 'settings') return true;
      const { memberId, turnId, field } = difference;
      if (memberId !== undefined && asked.has(memberId) && TEXT_FIELDS.includes(field)) return false;
      const name = JSON.stringify([memberId, turnId, field]);
      return !said.has(name) && said.add(name);
    });
  }

  take({ before, now }: FactPair, hidesQueue: boolean): void {
    const fact = before ?? now;
    if (fact?.type === 'conversation-start') this.#compareStarts(before, now);
    else if (fact?.type === 'profile-changed') this.#compareProfiles(fact.memberId);
    else if (fact?.type === 'turn-start') this.#compareTurns(before, now);
    else if (fact?.type === 'permission-decided') this.#compareDecisions(fact, before, now);
    else if (fact !== undefined && !isToldOtherwise(fact, hidesQueue) && !isSameFact(before, now))
      this.#add({ kind: 'fact', ...bare({ before, now }) });
  }

  #add(...differences: readonly Difference[]): void {
    this.#differences.push(...differences);
  }

  #compareStarts(before: RecordedEvent | undefined, now: RecordedEvent | undefined): void {
    if (before?.type !== 'conversation-start' || now?.type !== 'conversation-start') return;
    const differences = compareTeams(before.team, now.team);
    for (const { field, memberId } of differences) if (field === 'member') this.#strangers.add(memberId);
    this.#add(...differences);
  }

  #compareProfiles(memberId: MemberId): void {
    const before = this.#profiles.before.get(memberId);
    const now = this.#profiles.now.get(memberId);
    if (now === undefined || this.#strangers.has(memberId)) return;
    if (before !== undefined) this.#add(...compareProfiles(before, now));
    else this.#add({ kind: 'settings', memberId, field: 'member', now: now.profile.agentName });
  }

  #compareTurns(before: RecordedEvent | undefined, now: RecordedEvent | undefined): void {
    if (before?.type !== 'turn-start' || now?.type !== 'turn-start') return;
    const { turnId, memberId } = before;
    const setting = (field: string, then: unknown, current: unknown): OtherSetting[] =>
      then === current ? [] : [{ kind: 'settings', memberId, turnId, field, ...bareValues(then, current) }];
    this.#add(
      ...setting('session', before.prompt.session, now.prompt.session),
      ...setting('workspace', placeOf(before), placeOf(now)),
    );
    if (before.prompt.sha256 !== now.prompt.sha256) this.prompts.push(before);
    else if (!isDeepStrictEqual(withoutSettings(before), withoutSettings(now)))
      this.#add({ kind: 'fact', ...bare({ before, now }) });
  }

  #compareDecisions(
    { turnId, memberId, requestId }: PermissionDecided,
    before: RecordedEvent | undefined,
    now: RecordedEvent | undefined,
  ): void {
    const [then, current] = [decisionOf(before), decisionOf(now)];
    if (isDeepStrictEqual(then, current)) return;
    const { name = '', input = '' } = this.#requests.get(requestId) ?? {};
    const decisions = { ...(then && { before: then }), ...(current && { now: current }) };
    this.#add({ kind: 'permission', turnId, memberId, requestId, name, input, ...decisions });
  }
}

function lastProfiles(events: readonly RecordedEvent[]): ReadonlyMap<MemberId, ProfileChanged> {
  return new Map(
    events.flatMap((event) => (event.type === 'profile-changed' ? [[event.memberId, event] as const] : [])),
  );
}

/** Whether another difference tells it: the decision of a request, the turn that starts in place of a queued one. */
function isToldOtherwise(fact: RecordedEvent, hidesQueue: boolean): boolean {
  if (fact.type === 'turn-activity') return fact.event.type === 'permission-request';
  return hidesQueue && (fact.type === 'turns-queued' || fact.type === 'turns-dropped');
}

function placeOf({ copy }: TurnStart): string {
  return copy ? 'copy' : 'shared';
}

/** The rest of what is known of a start. */
function withoutSettings(event: RecordedEvent & TurnStart): unknown {
  const { copy: _, prompt, ...turn } = event;
  const { session: _session, ...sent } = prompt;
  return plain({ ...turn, ...NO_PLACE, prompt: sent });
}

const NO_PLACE = { seq: 0, at: 0 };

function decisionOf(fact: RecordedEvent | undefined): Pick<PermissionDecided, 'decision' | 'by'> | undefined {
  return fact?.type === 'permission-decided' ? { decision: fact.decision, by: fact.by } : undefined;
}

function isSameFact(before: RecordedEvent | undefined, now: RecordedEvent | undefined): boolean {
  if (before === undefined || now === undefined) return false;
  return isDeepStrictEqual(comparable(before), comparable(now));
}

/** Without what belongs to the clock, or to programs that keep fields of their own in messages. */
function comparable(event: RecordedEvent): unknown {
  const fact = bareFact(event);
  if (fact.type !== 'message-added') return plain(fact);
  const { content, speaker, routing = {} } = fact.message;
  return plain({ ...fact, message: { content, speaker, routing } });
}

/** As JSON has it: fields that are undefined are absent. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function bare({ before, now }: { before: RecordedEvent | undefined; now: RecordedEvent | undefined }): {
  before?: ConversationFact;
  now?: ConversationFact;
} {
  return { ...(before && { before: bareFact(before) }), ...(now && { now: bareFact(now) }) };
}

function bareValues(before: unknown, now: unknown): { before?: unknown; now?: unknown } {
  return { ...(before !== undefined && { before }), ...(now !== undefined && { now }) };
}

function bareFact({ v: _v, seq: _seq, at: _at, ...fact }: RecordedEvent): ConversationFact {
  return fact as ConversationFact;
}
