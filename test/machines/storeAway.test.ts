import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import type { PresenceChange } from '../../src/coordinator/ConversationPresence.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';
import { SilentWire } from '../store/postgres/SilentWire.js';
import { listen, sitDown, teamOfPeople, untilCompany } from './table.js';

const team = teamOfPeople('bob', 'kim');

/** News of a company, and a way to wait for one. */
function newsOf(conversation: Conversation) {
  const news: PresenceChange[] = [];
  conversation.presence?.subscribe((one) => news.push(one));
  return {
    until: (kind: PresenceChange['kind']): Promise<PresenceChange> =>
      new Promise((resolve) => {
        const found = news.find((one) => one.kind === kind);
        if (found !== undefined) return resolve(found);
        const end = conversation.presence?.subscribe((one) => {
          if (one.kind !== kind) return;
          end?.();
          resolve(one);
        });
      }),
  };
}

describePostgres('a store that does not answer', (server) => {
  beforeEach(() => makeFreshStore(server(), 'bob', 'kim'));

  /** Bob holds a conversation at the end of a wire, which kim follows. */
  async function setScene(role: 'bob' | 'kim', pace = 200) {
    const wire = await SilentWire.to(server().url(role));
    onTestFinished(() => wire.close().catch(() => undefined));
    const through = (name: string) => (name === role ? { url: wire.url } : {});
    const bob = await sitDown(server(), 'bob', through('bob'));
    const kim = await sitDown(server(), 'kim', through('kim'));
    const held = await bob.create(team, { rehearsal: { pace } });
    const followed = await kim.open(held.id, team);
    await held.send('[NEXT: bob] One.');
    return { wire, held, followed };
  }

  test('stops the turns of the holder, which then goes on if nobody took over', async () => {
    // So slow that the turn does not end by itself before it is stopped.
    const { wire, held, followed } = await setScene('bob', 5000);
    const news = newsOf(held);
    const seen = listen(held);
    await followed.send('[NEXT: max] Think.');
    await seen.until((event) => event.type === 'turn-start');
    wire.fallSilent();
    const sent = held.send('[NEXT: bob] Is anybody there?');
    expect(await news.until('stopped')).toEqual({
      kind: 'stopped',
      hadTurns: true,
      unsaved: ['[NEXT: bob] Is anybody there?'],
    });
    expect(held.presence?.silence).toBeGreaterThan(0);
    wire.speakAgain();
    await news.until('back');
    expect(await sent).toMatchObject({ content: '[NEXT: bob] Is anybody there?' });
    await held.settled();
    const ended = (await toArray(held.history())).find((event) => event.type === 'turn-end');
    expect(ended).toMatchObject({ result: { kind: 'cancelled' } });
    await held.send('[NEXT: bob] Two.');
    await untilCompany(held, () => held.presence?.silence === null);
    expect(held.presence?.holder?.isHere).toBe(true);
  });

  test('takes the conversation from a holder that is away for longer than a lease, and gives back what it typed', async () => {
    const { wire, held, followed } = await setScene('bob');
    const [atBob, atKim] = [newsOf(held), newsOf(followed)];
    const seenByBob = listen(held);
    listen(followed);
    wire.fallSilent();
    const sent = held.send('[NEXT: bob] Never kept.');
    expect(await atKim.until('holder-gone')).toEqual({ kind: 'holder-gone', role: 'bob' });
    await followed.send('[NEXT: bob] Then I go on.');
    wire.speakAgain();
    await expect(sent).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(await atBob.until('lost')).toMatchObject({ holder: { role: 'kim', isHere: false } });
    await held.send('[NEXT: bob] I follow.');
    expect(seenByBob.said()).toEqual(['[NEXT: bob] Then I go on.', '[NEXT: bob] I follow.']);
    expect(followed.snapshot().messages.map(({ content }) => content)).toEqual([
      '[NEXT: bob] One.',
      '[NEXT: bob] Then I go on.',
      '[NEXT: bob] I follow.',
    ]);
  });

  test('ends nothing: a holder that could save nothing for a while continues when it is back', async () => {
    const { wire, held, followed } = await setScene('bob');
    const [atBob, seenByKim] = [newsOf(held), listen(followed)];
    wire.fallSilent();
    await expect(held.send('[NEXT: bob] Never kept.')).rejects.toMatchObject({ code: 'STORE_OUT_OF_REACH' });
    // Nothing of it is on its way any more.
    wire.breakAll();
    wire.speakAgain();
    expect(await atBob.until('lost')).toEqual({ kind: 'lost', holder: null });
    await expect(held.pause()).rejects.toThrow('No one has this conversation open, so nothing runs.');
    await held.send('[NEXT: bob] Here I am.');
    expect(held.presence?.holder).toMatchObject({ role: 'bob', isHere: true });
    await seenByKim.until(
      (event) => event.type === 'message-added' && event.message.content.includes('Here'),
    );
    expect(seenByKim.said()).toEqual(['[NEXT: bob] One.', '[NEXT: bob] Here I am.']);
  });

  /** What is said in the conversation, as its holder knows it. */
  function contentsOf(held: Conversation): readonly string[] {
    return held.snapshot().messages.map(({ content }) => content);
  }

  test.each([
    ['bob', 9000],
    ['kim', 4500],
  ] as const)('does not keep whoever leaves waiting: %s', async (role, patience) => {
    const { wire, held, followed } = await setScene(role);
    wire.fallSilent();
    const left = (role === 'bob' ? held : followed).close().then(() => 'left');
    expect(await Promise.race([left, wait(patience, 'waits', { ref: false })])).toBe('left');
    wire.speakAgain();
  });

  test('gives back what a follower typed, and nothing is said twice when it is sent again', async () => {
    const { wire, held, followed } = await setScene('kim');
    listen(followed);
    wire.fallSilent();
    await expect(followed.send('[NEXT: bob] Hello?')).rejects.toMatchObject({ code: 'STORE_OUT_OF_REACH' });
    wire.speakAgain();
    await followed.send('[NEXT: bob] Hello?');
    expect(contentsOf(held)).toEqual(['[NEXT: bob] One.', '[NEXT: bob] Hello?']);
  });

  test('counts what was said although no answer came, once, when it is sent again', async () => {
    const { wire, held, followed } = await setScene('kim');
    const [seenByBob] = [listen(held), listen(followed)];
    wire.swallowAnswers();
    const sent = expect(followed.send('[NEXT: bob] Yes.')).rejects.toMatchObject({
      code: 'STORE_OUT_OF_REACH',
    });
    const said = await seenByBob.until((event) => event.type === 'message-added');
    await sent;
    wire.speakAgain();
    expect(await followed.send('[NEXT: bob] Yes.')).toEqual(said.type === 'message-added' && said.message);
    expect(contentsOf(held)).toEqual(['[NEXT: bob] One.', '[NEXT: bob] Yes.']);
    await followed.send('[NEXT: bob] Yes.');
    expect(contentsOf(held)).toEqual(['[NEXT: bob] One.', '[NEXT: bob] Yes.', '[NEXT: bob] Yes.']);
  });

  test('never says what was taken back by saying something else, however late it arrives', async () => {
    const { wire, held, followed } = await setScene('kim');
    listen(followed);
    const [before] = await server().admin('SELECT conversation, process, sitting FROM huddle.attendance');
    wire.fallSilent();
    await expect(followed.send('[NEXT: bob] Stop!')).rejects.toMatchObject({ code: 'STORE_OUT_OF_REACH' });
    wire.breakAll();
    wire.speakAgain();
    await followed.send('[NEXT: bob] Forget it.');
    const { store } = await sitDown(server(), 'kim');
    await store.database.query(
      `SELECT huddle.ask_wish($1, $2, $3, gen_random_uuid(), 'say', '{"content":"[NEXT: bob] Stop!"}')`,
      [before?.conversation, before?.process, before?.sitting],
    );
    await followed.send('[NEXT: bob] And now?');
    expect(contentsOf(held)).toEqual(['[NEXT: bob] One.', '[NEXT: bob] Forget it.', '[NEXT: bob] And now?']);
  });
});
