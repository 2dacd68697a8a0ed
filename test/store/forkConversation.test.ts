import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Agenda, applyToAgenda, EMPTY_AGENDA } from '../../src/conversation/Agenda.js';
import { compareViews, explainTurns } from '../../src/coordinator/explainTurn.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { ConversationId, MemberId, TurnId } from '../../src/models/ids.js';
import { forkConversation, forkEvents } from '../../src/store/forkConversation.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import type { Store } from '../../src/store/Store.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { deed, live, names, play, routings, turns } from '../coordinator/randomConversation.js';
import { type Stage, stageInProcess } from '../coordinator/stage.js';
import { agent, person, team } from '../coordinator/teams.js';
import { isFull } from '../soak/isFull.js';
import { resumeWith, says } from '../store/stage.js';
import { tries } from '../tier.js';

const squad = team([person(), ...names.map((name) => agent(name))]);
const blindSquad = team(squad.members, { routing: { fallback: 'human', fanout: 'blind' } });

test('a fork says which of its facts had been imported', async () => {
  const { log } = await talk(['[NEXT: max] One?', '[NEXT: sarah] Two?']);
  const store = new MemoryStore();
  const source = await store.create('source' as ConversationId);
  await source.restore(log());
  await source.close();
  const forkedIn = async (id: ConversationId) =>
    (await toArray((await store.read(id)).read())).findLast(({ type }) => type === 'conversation-forked');
  const { id, upTo } = await forkConversation(store, 'source' as ConversationId, { at: '2' });
  expect(await forkedIn(id)).toMatchObject({ upTo, importedUpTo: upTo });
  const again = await forkConversation(store, id);
  expect(await forkedIn(again.id)).toMatchObject({ importedUpTo: upTo });
  const ownFork = await forkConversation(store, again.id, { at: '1' });
  expect(await forkedIn(ownFork.id)).toMatchObject({ importedUpTo: ownFork.upTo });
});

describe('the place of a fork', () => {
  test('is the last message, with what followed from it at once', async () => {
    const { log } = await talk(['[NEXT: max] One?', '[NEXT: sarah] Two? [TEAM_TASK: Ship it]']);
    const { facts, added, cut } = forkEvents(log());
    expect(said(facts)).toEqual(['msg-1', 'msg-2', 'msg-3', 'msg-4']);
    expect(facts).toEqual(log());
    expect(added).toEqual([
      { type: 'conversation-forked', from: idOf(log()), upTo: facts.length, messageId: 'msg-4' },
    ]);
    expect(cut).toEqual({ upTo: facts.length, messageId: 'msg-4', isMoved: false, dropped: [], kept: [] });
  });

  test('is any message, by its id or its number', async () => {
    const { log } = await talk(['[NEXT: max] One? [TEAM_TASK: Ship it]', '[NEXT: sarah] Two?']);
    const events = log();
    const byId = forkEvents(events, { at: 'msg-1' });
    expect(said(byId.facts)).toEqual(['msg-1']);
    expect(byId.facts.slice(-2).map(({ type }) => type)).toEqual(['task-changed', 'turns-queued']);
    for (const at of ['1', '#1', ' MSG-1', '１']) expect(forkEvents(events, { at })).toEqual(byId);
  });

  test('drops the turns that waited there, unless they are kept', async () => {
    const { log } = await talk(['[NEXT: max, sarah] One?']);
    const at = { at: '2' };
    expect(forkEvents(log(), at).added[1]).toEqual({ type: 'turns-dropped', turnIds: ['turn-2'] });
    expect(forkEvents(log(), at).cut.dropped).toMatchObject([{ memberId: 'sarah' }]);
    const kept = forkEvents(log(), at, { keep: () => true });
    expect(kept.added).toHaveLength(1);
    expect(kept.cut).toMatchObject({ dropped: [], kept: [{ memberId: 'sarah' }] });
    const one = forkEvents(log(), { at: '1' }, { keep: ({ memberId }) => memberId === 'sarah' });
    expect(one.added[1]).toEqual({ type: 'turns-dropped', turnIds: ['turn-1'] });
  });

  test('before a message of a person leaves it out, with the end of the pause that it brought', async () => {
    const { conversation, log } = await talk(['[NEXT: max] One?']);
    await conversation.pause();
    await conversation.send('Two?');
    await conversation.settled();
    const { facts } = forkEvents(log(), { before: '3' });
    expect(said(facts)).toEqual(['msg-1', 'msg-2']);
    expect(facts.at(-1)?.type).toBe('conversation-pause');
    expect(said(forkEvents(log(), { before: 'msg-1' }).facts)).toEqual([]);
  });

  test('before a message of an agent is before the start of its turn', async () => {
    const { log } = await talk(['[NEXT: max, sarah] One?']);
    const { facts, added } = forkEvents(log(), { before: '3' });
    expect(said(facts)).toEqual(['msg-1', 'msg-2']);
    expect(facts.some((fact) => fact.type === 'turn-start' && fact.memberId === 'sarah')).toBe(false);
    expect(added[1]).toEqual({ type: 'turns-dropped', turnIds: ['turn-2'] });
    expect(forkEvents(log(), { beforeTurn: 'turn-2' as TurnId }).facts).toEqual(facts);
  });

  test('inside a blind round moves to its end, and that is told', async () => {
    const { log } = await talk(['[NEXT: max, sarah] One?', 'Two?'], blindSquad);
    const { facts, cut } = forkEvents(log(), { at: '2' });
    expect(said(facts)).toEqual(['msg-1', 'msg-2', 'msg-3']);
    expect(cut).toMatchObject({ messageId: 'msg-3', isMoved: true });
    expect(forkEvents(log(), { at: '3' }).cut.isMoved).toBe(false);
  });

  test('before a turn of a blind round is before the whole round', async () => {
    const { log } = await talk(['[NEXT: max, sarah] One?'], blindSquad);
    const before = forkEvents(log(), { before: '3' });
    expect(said(before.facts)).toEqual(['msg-1']);
    expect(before.cut).toMatchObject({
      isMoved: false,
      dropped: [{ memberId: 'max' }, { memberId: 'sarah' }],
    });
    expect(forkEvents(log(), { beforeTurn: 'turn-2' as TurnId }).facts).toEqual(before.facts);
  });

  test('in the middle of a turn leaves that turn unfinished', async () => {
    const { conversation, log, seen } = await stageInProcess(squad, async function* (_name, _prompt) {
      await conversation.send('Meanwhile.');
      yield* says('Done.');
    });
    const heard = seen((event) => event.type === 'message-added' && event.message.content === 'Done.');
    await conversation.send('[NEXT: max] One?');
    await heard;
    await conversation.cancel();
    await conversation.settled();
    const { added, cut } = forkEvents(log(), { at: '2' }, { keep: () => true });
    expect(cut.messageId).toBe('msg-2');
    expect(added[1]).toMatchObject({ type: 'turn-end', turnId: 'turn-1', result: { kind: 'interrupted' } });
    expect(forkEvents(log(), { at: '2' }).added.at(-1)).toMatchObject({
      type: 'turns-dropped',
      turnIds: expect.arrayContaining(['turn-1']),
    });
  });

  test('that is not there is refused with the nearest', async () => {
    const { log } = await talk(['[NEXT: max] One?']);
    const refuse = (at: string) => () => forkEvents(log(), { at });
    expect(refuse('9')).toThrow('No message "9" in this conversation. The nearest is msg-2.');
    expect(refuse('0')).toThrow('The nearest is msg-1.');
    expect(refuse('mgs-1')).toThrow('The nearest is msg-1.');
    expect(refuse('')).toThrow(/No message/u);
    const { log: empty } = await talk([]);
    expect(() => forkEvents(empty(), { at: '1' })).toThrow('this conversation has no messages');
    expect(() => forkEvents(log(), { beforeTurn: 'turn-9' as TurnId })).toThrow('turn-9');
    expect(forkEvents(empty()).facts).toEqual(empty());
  });
});

const places = fc.record({
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  kind: fc.constantFrom('at' as const, 'before' as const, 'beforeTurn' as const),
  keepQueue: fc.boolean(),
});

/** The same as the promise says: 200 forks. */
const FORKS = isFull ? 200 : tries(60);

test(`any conversation forked anywhere is its beginning, and continues from there: ${FORKS} forks`, async () => {
  await fc.assert(
    fc.asyncProperty(
      turns,
      fc.array(deed, { maxLength: 5 }),
      routings,
      places,
      async (script, deeds, routing, { at, kind, keepQueue }) => {
        const store = new MemoryStore();
        const team = { ...squad, routing };
        const scene = await stageInProcess(team, play(script), store);
        await live(scene, deeds);
        await scene.conversation.close();
        const original = scene.log();
        const ids = kind === 'beforeTurn' ? startedIn(original) : said(original);
        const place = ids[Math.floor(at * ids.length)];
        if (place === undefined) return;
        const { id, upTo, isMoved } = await forkConversation(store, scene.conversation.id, {
          [kind]: place,
          keepQueue,
        });
        const forked = await readAll(store, id);
        checkCut(forked, { original, upTo, kind, place, isMoved, keepQueue });
        await checkPrompts(store, id, { team, original, upTo });
        expect(await readAll(store, scene.conversation.id)).toEqual(original);
      },
    ),
    { numRuns: FORKS },
  );
});

interface Cut {
  readonly original: readonly RecordedEvent[];
  readonly upTo: number;
  readonly kind: 'at' | 'before' | 'beforeTurn';
  readonly place: string;
  readonly isMoved: boolean;
  readonly keepQueue: boolean;
}

function checkCut(forked: readonly RecordedEvent[], cut: Cut): void {
  const { original, upTo, kind, place, isMoved, keepQueue } = cut;
  expect(forked.slice(1, upTo)).toEqual(original.slice(1, upTo));
  expect(forked.map(({ seq }) => seq)).toEqual(forked.map((_, index) => index + 1));
  expect(forked[upTo]).toMatchObject({ type: 'conversation-forked', from: idOf(original), upTo });
  const [before, after] = [original.slice(0, upTo), original.slice(upTo)];
  if (kind === 'at') {
    expect(said(before)).toContain(place);
    if (!isMoved) expect(said(before).at(-1)).toBe(place);
  } else expect(kind === 'before' ? said(after) : startedIn(after)).toContain(place);
  const { queue, running } = forked.reduce<Agenda>(applyToAgenda, EMPTY_AGENDA);
  const waiting = before.reduce<Agenda>(applyToAgenda, EMPTY_AGENDA);
  expect(running).toEqual([]);
  expect(queue).toEqual(keepQueue ? waiting.queue : []);
  expect(waiting.running.every(({ blindRound }) => blindRound === undefined)).toBe(true);
}

/** Whoever is asked next in the fork is shown what they would have been shown at the cut, and the ids go on. */
async function checkPrompts(
  store: Store,
  id: ConversationId,
  { team, original, upTo }: { team: typeof squad } & Pick<Cut, 'original' | 'upTo'>,
): Promise<void> {
  const members = names as unknown as MemberId[];
  const forked = await readAll(store, id);
  const seq = forked.length;
  if (said(forked).length > 0)
    expect(await compareViews(forked, seq, members)).toEqual(await compareViews(original, upTo, members));
  const fork = await resumeWith(store, id, team, () => says('Here.'));
  await fork.send('[NEXT: max] And now?');
  await fork.settled();
  await fork.close();
  const events = await readAll(store, id);
  const asked = `msg-${said(original.slice(0, upTo)).length + 1}`;
  expect(said(events)).toContain(asked);
  const all = startedIn(events);
  expect(new Set(all).size).toBe(all.length);
  for await (const { turnId, isExact } of explainTurns(events))
    expect([turnId, isExact]).toEqual([turnId, true]);
}

async function talk(messages: readonly string[], team = squad): Promise<Stage> {
  const scene = await stageInProcess(team, (name) => says(`${name} here.`));
  for (const message of messages) {
    await scene.conversation.send(message);
    await scene.conversation.settled();
  }
  return scene;
}

async function readAll(store: Store, id: ConversationId): Promise<RecordedEvent[]> {
  return toArray((await store.read(id)).read());
}

function said(events: readonly RecordedEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'message-added' ? event.message.id : []));
}

function startedIn(events: readonly RecordedEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'turn-start' ? event.turnId : []));
}

function idOf([first]: readonly RecordedEvent[]): string | undefined {
  return first?.type === 'conversation-start' ? first.conversationId : undefined;
}
