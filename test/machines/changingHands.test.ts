import { beforeEach, expect, test } from 'vitest';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import type { PresenceChange } from '../../src/coordinator/ConversationPresence.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';
import { listen, sitDown, teamOfPeople, untilCompany } from './table.js';

const team = teamOfPeople('bob', 'kim', 'lea');

/** The next news of one kind. */
function untilNews<Kind extends PresenceChange['kind']>(
  conversation: Conversation,
  kind: Kind,
): Promise<PresenceChange> {
  return new Promise((resolve) => {
    const end = conversation.presence?.subscribe((news) => {
      if (news.kind !== kind) return;
      end?.();
      resolve(news);
    });
  });
}

describePostgres('a shared conversation changes hands', (server) => {
  beforeEach(() => makeFreshStore(server(), 'bob', 'kim', 'lea'));

  test('when the holder closes it, whoever speaks next holds it', async () => {
    const [bob, kim, lea] = [
      await sitDown(server(), 'bob'),
      await sitDown(server(), 'kim'),
      await sitDown(server(), 'lea'),
    ];
    const held = await bob.create(team);
    await held.send('[NEXT: bob] One.');
    const [atKim, atLea] = [await kim.open(held.id, team), await lea.open(held.id, team)];
    const [seenByKim, seenByLea] = [listen(atKim), listen(atLea)];
    await untilCompany(atKim, () => atKim.presence?.here.join() === 'kim,lea');
    expect(atKim.presence?.holder).toEqual({
      role: 'bob',
      host: 'bobs-laptop',
      isHere: false,
      isGone: false,
    });
    const left = untilNews(atKim, 'holder-left');
    await held.close();
    expect(await left).toEqual({ kind: 'holder-left', role: 'bob' });
    // Whoever only watches starts nothing, and what needs a holder says that there is none.
    await expect(atKim.pause()).rejects.toMatchObject({ code: 'HOLDER_GONE' });
    // Reading waits for a change of hands: one would have begun during the first, and have come to its end before the second.
    for (const _ of ['first', 'second']) await toArray(atKim.history());
    expect(atKim.presence?.holder).toBeNull();
    await atKim.send('[NEXT: bob] Two.');
    expect(atKim.presence?.holder).toMatchObject({ role: 'kim', isHere: true });
    await untilCompany(atLea, () => atLea.presence?.holder?.role === 'kim');
    await atLea.send('[NEXT: bob] Three.');
    expect(seenByKim.said()).toEqual(['[NEXT: bob] Two.', '[NEXT: bob] Three.']);
    expect(seenByLea.events.filter((event) => 'seq' in event)).toEqual(
      seenByKim.events.filter((event) => 'seq' in event),
    );
  });

  test('of two who speak at once when it is free, both are heard', async () => {
    const [bob, kim, lea] = [
      await sitDown(server(), 'bob'),
      await sitDown(server(), 'kim'),
      await sitDown(server(), 'lea'),
    ];
    const held = await bob.create(team);
    await held.send('[NEXT: bob] One.');
    const [atKim, atLea] = [await kim.open(held.id, team), await lea.open(held.id, team)];
    listen(atKim);
    listen(atLea);
    await Promise.all([untilNews(atKim, 'holder-left'), untilNews(atLea, 'holder-left'), held.close()]);
    await Promise.all([atKim.send('[NEXT: bob] Two.'), atLea.send('[NEXT: bob] Two.')]);
    const said = (await toArray(atKim.history())).flatMap((event) =>
      event.type === 'message-added' ? [event.by] : [],
    );
    expect(said.toSorted()).toEqual(['bob', 'kim', 'lea']);
  });

  test('only the same role takes over from one that lives, which then follows', async () => {
    const [desk, laptop] = [
      await sitDown(server(), 'bob', { host: 'desk' }),
      await sitDown(server(), 'bob', { host: 'laptop' }),
    ];
    const kim = await sitDown(server(), 'kim');
    const atDesk = await desk.create(team);
    await atDesk.send('[NEXT: bob] One.');
    await expect(kim.open(atDesk.id, team, { takeOver: true })).rejects.toMatchObject({
      code: 'CONVERSATION_LOCKED',
    });
    const lost = untilNews(atDesk, 'lost');
    const seenAtDesk = listen(atDesk);
    const atLaptop = await laptop.open(atDesk.id, team, { takeOver: true });
    expect(await lost).toMatchObject({ holder: { role: 'bob', host: 'laptop', isHere: false } });
    await seenAtDesk.until((event) => event.type === 'notice' && event.code === 'lease-taken-over');
    await atLaptop.send('[NEXT: bob] Two.');
    await seenAtDesk.until((event) => event.type === 'message-added');
    await atDesk.send('[NEXT: bob] Three.');
    expect(seenAtDesk.said()).toEqual(['[NEXT: bob] Two.', '[NEXT: bob] Three.']);
    expect(atLaptop.snapshot().messages.map(({ content }) => content)).toEqual([
      '[NEXT: bob] One.',
      '[NEXT: bob] Two.',
      '[NEXT: bob] Three.',
    ]);
  });
});
