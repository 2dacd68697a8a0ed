import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasWork } from '../../src/conversation/questions.js';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import type { ConversationEvent } from '../../src/models/ConversationEvent.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import type { Store } from '../../src/store/Store.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { ID } from '../store/facts.js';
import {
  agentNamed,
  factsOf,
  hangs,
  LIMITS,
  type Play,
  resumeWith,
  says,
  startWith,
  teamOf,
} from '../store/stage.js';

const team = teamOf([agentNamed('max'), agentNamed('sarah')]);
const pingPong: Play = ({ memberName }) => says(`Over. [NEXT: ${memberName === 'max' ? 'sarah' : 'max'}]`);

const stores: ReadonlyArray<readonly [string, () => Store]> = [
  ['memory', () => new MemoryStore()],
  ['SQLite', makeSqliteStore],
];

describe.each(stores)('a conversation opened again from %s', (_, makeStore) => {
  test('stands as it was closed', async () => {
    const store = makeStore();
    const first = await startWith(store, { ...team, task: 'Ship it' }, () => says('Done.'), ID);
    await first.send('[NEXT: max] Go.');
    await first.settled();
    const before = first.snapshot();
    await first.close();
    const again = await resumeWith(store, ID, team, () => says('Again.'));
    expect(again.snapshot()).toEqual(before);
    const message = await again.send('[NEXT: sarah] And you?');
    expect(message.id).toBe('msg-3');
    await again.settled();
    expect(again.snapshot().messages.map(({ content }) => content)).toEqual([
      '[NEXT: max] Go.',
      'Done.',
      '[NEXT: sarah] And you?',
      'Again.',
    ]);
  });

  test('ends a turn that was running as interrupted, and runs it again only when asked, under a new id', async () => {
    const store = makeStore();
    const first = await startWith(store, team, hangs, ID);
    await first.send('[NEXT: max, sarah] Go.');
    await started(first);
    const again = await resumeAfterCrash(store, () => says('Done.'));
    expect(await factsOf(again, 'turn-end')).toMatchObject([
      { turnId: 'turn-1', memberId: 'max', result: { kind: 'interrupted' } },
    ]);
    expect((await factsOf(again, 'notice')).map(({ code }) => code)).toEqual([
      'lease-taken-over',
      'turn-interrupted',
    ]);
    expect(again.snapshot()).toMatchObject({
      phase: { kind: 'paused', reason: { kind: 'reopened' } },
      state: { queue: [{ turnId: 'turn-2', memberId: 'sarah' }] },
    });
    expect(await again.settled()).toMatchObject({ kind: 'paused' });

    expect(await again.retry()).toBe(1);
    await again.settled();
    expect(
      (await factsOf(again, 'turn-start')).map(({ turnId, memberId, retryOf }) => [
        turnId,
        memberId,
        retryOf,
      ]),
    ).toEqual([
      ['turn-1', 'max', undefined],
      ['turn-3', 'max', 'turn-1'],
      ['turn-2', 'sarah', undefined],
    ]);
    expect((await factsOf(again, 'turns-queued')).at(-1)?.turns).toEqual([
      { turnId: 'turn-3', memberId: 'max', triggeredBy: 'msg-1', retryOf: 'turn-1' },
    ]);
    expect(await again.retry()).toBe(0);
  });

  test('goes on with what waited by `resume`, and by the next message', async () => {
    for (const goOn of [
      (conversation: Conversation) => conversation.resume(),
      (conversation: Conversation) => void conversation.send('[NEXT: max] Again.'),
    ]) {
      const store = makeStore();
      const first = await startWith(store, team, hangs, ID);
      await first.send('[NEXT: max, sarah] Go.');
      await started(first);
      const again = await resumeAfterCrash(store, ({ memberName }) => says(`${memberName} is done.`));
      expect(again.snapshot().phase).toEqual({ kind: 'paused', reason: { kind: 'reopened' } });
      goOn(again);
      await again.settled();
      expect(again.snapshot().messages.map(({ content }) => content)).toContain('sarah is done.');
      expect(again.snapshot().state.queue).toEqual([]);
    }
  });

  test('counts limits across the restart', async () => {
    const store = makeStore();
    const first = await startWith(store, team, stopAfter(7, pingPong), ID);
    await first.send('[NEXT: max] Play.');
    await started(first, 8);
    const again = await resumeAfterCrash(store, pingPong);
    expect(await again.retry()).toBe(1);
    expect(await again.settled()).toEqual({
      kind: 'paused',
      reason: { kind: 'limit', limit: 'agentTurns', count: LIMITS.agentTurns, max: LIMITS.agentTurns },
    });
    expect(await factsOf(again, 'turn-start')).toHaveLength(LIMITS.agentTurns);
    await again.close();
    const third = await resumeWith(store, ID, team, pingPong);
    expect(third.snapshot().phase).toMatchObject({ kind: 'paused', reason: { kind: 'limit' } });
    await third.resume();
    await third.settled();
    expect(await factsOf(third, 'turn-start')).toHaveLength(2 * LIMITS.agentTurns);
  });

  test('drops the waiting turns of members that left the team', async () => {
    const store = makeStore();
    const first = await startWith(store, team, hangs, ID);
    await first.send('[NEXT: max, sarah] Go.');
    await started(first);
    const again = await resumeAfterCrash(store, () => says('Done.'), teamOf([agentNamed('max')]));
    expect(again.snapshot()).toMatchObject({ state: { queue: [] }, phase: { kind: 'idle' } });
    expect((await factsOf(again, 'notice')).at(-1)).toMatchObject({
      code: 'members-gone',
      memberIds: ['sarah'],
    });
  });

  test('leaves nothing to run of a member that left the team during its turn', async () => {
    const store = makeStore();
    const first = await startWith(store, team, hangs, ID);
    await first.send('[NEXT: max] Go.');
    await started(first);
    const again = await resumeAfterCrash(store, () => says('Done.'), teamOf([agentNamed('sarah')]));
    expect(hasWork(again.snapshot().state)).toBe(false);
    expect(await again.retry()).toBe(0);
  });

  test('does not ask again for turns of members that left the team', async () => {
    const store = makeStore();
    const first = await startWith(store, team, hangs, ID);
    await first.send('[NEXT: sarah, max] Go.');
    await started(first);
    const again = await resumeAfterCrash(store, () => says('Done.'), teamOf([agentNamed('max')]));
    expect(await again.retry()).toBe(0);
    await again.resume();
    await again.settled();
    expect(again.snapshot().messages.map(({ content }) => content)).toEqual([
      '[NEXT: sarah, max] Go.',
      'Done.',
    ]);
  });

  test('records a profile again only when it changed', async () => {
    const store = makeStore();
    const first = await startWith(store, team, () => says('Done.'), ID);
    expect((await factsOf(first, 'profile-changed')).map(({ memberId }) => memberId)).toEqual([
      'max',
      'sarah',
    ]);
    await first.close();
    const same = await resumeWith(store, ID, team, () => says('Done.'));
    expect(await factsOf(same, 'profile-changed')).toHaveLength(2);
    await same.close();
    const changed = teamOf([agentNamed('max', { window: 3 }), agentNamed('sarah')]);
    const other = await resumeWith(store, ID, changed, () => says('Done.'));
    expect((await factsOf(other, 'profile-changed')).slice(2)).toMatchObject([
      { memberId: 'max', profile: { window: 3 } },
    ]);
  });
});

/** The first conversation is left as a killed process leaves it. */
async function resumeAfterCrash(store: Store, play: Play, withTeam = team): Promise<Conversation> {
  const conversation = await resumeWith(store, ID, withTeam, play, { takeOver: true });
  onTestFinished(() => conversation.close());
  return conversation;
}

/** Resolves when the given number of turns have started. */
async function started(conversation: Conversation, count = 1): Promise<void> {
  const starts = new Set<string>();
  await new Promise<void>((resolve, reject) => {
    const note = (event: ConversationEvent) => {
      if (event.type === 'turn-start') starts.add(event.turnId);
      if (starts.size >= count) resolve();
    };
    conversation.subscribe(note);
    toArray(conversation.history()).then((events) => events.forEach(note), reject);
  });
}

/** Plays some turns, then hangs. */
function stopAfter(turns: number, play: Play): Play {
  let played = 0;
  return (request, signal) => (played++ < turns ? play(request, signal) : hangs(request, signal));
}

function makeSqliteStore(): Store {
  const store = new SqliteStore({ file: join(makeTemporaryFolder(), 'huddle.db') });
  onTestFinished(() => store.close());
  return store;
}
