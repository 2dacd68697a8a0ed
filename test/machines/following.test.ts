import { beforeAll, describe, expect, test } from 'vitest';
import { formatTaskMessage } from '../../src/presentation/readTypedLine.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';
import { listen, person, sitDown, teamOfPeople, untilCompany } from './table.js';

const team = teamOfPeople('bob', 'kim');

describePostgres('a conversation of two people on two machines', (server) => {
  beforeAll(() => makeFreshStore(server(), 'bob', 'kim', 'ci'));

  test('both see everything, and each speaks as itself', async () => {
    const [bob, kim] = [await sitDown(server(), 'bob'), await sitDown(server(), 'kim')];
    const held = await bob.create(team);
    const followed = await kim.open(held.id, team);
    const [atBob, atKim] = [listen(held), listen(followed)];
    await held.send('[NEXT: bob] From bob.');
    const message = await followed.send('[NEXT: bob] From kim.');
    expect(message).toMatchObject({ content: '[NEXT: bob] From kim.', speaker: { roleId: 'kim' } });
    await atKim.until((event) => event.type === 'message-added' && event.message.id === message.id);
    expect(atKim.said()).toEqual(['[NEXT: bob] From bob.', '[NEXT: bob] From kim.']);
    expect(atKim.events).toEqual(atBob.events);
    const said = (await toArray(held.history())).filter((event) => event.type === 'message-added');
    expect(said.map(({ by, message: { speaker } }) => [by, speaker.roleName])).toEqual([
      ['bob', 'bob'],
      ['kim', 'kim'],
    ]);
    expect(await toArray(followed.history())).toEqual(await toArray(held.history()));
    expect(followed.snapshot()).toEqual({ ...held.snapshot() });
  });

  test('an agent that a follower asked answers, and what it is just saying is seen by both', async () => {
    const [bob, kim] = [await sitDown(server(), 'bob'), await sitDown(server(), 'kim')];
    const held = await bob.create(team);
    const followed = await kim.open(held.id, team);
    const atKim = listen(followed);
    await untilCompany(held, () => held.presence?.here.includes('kim') === true);
    await followed.send('[NEXT: max] Hello.');
    expect(await followed.settled()).toMatchObject({ kind: 'waiting' });
    const live = atKim.events.flatMap((event) =>
      event.type === 'turn-progress' && event.event.type === 'text' ? [event.event.text] : [],
    );
    const [, answer] = atKim.said();
    expect(live).toEqual([answer]);
  });

  test('a task that a follower sets counts and asks no one', async () => {
    const [bob, kim] = [await sitDown(server(), 'bob'), await sitDown(server(), 'kim')];
    const held = await bob.create(team);
    const followed = await kim.open(held.id, team);
    const message = await followed.send(formatTaskMessage('Ship it, @max.', 'kim'));
    const [atBob, atKim] = [await toArray(held.history()), await toArray(followed.history())];
    expect(atBob.slice(-3)).toMatchObject([
      { type: 'message-added', by: 'kim', message: { id: message.id } },
      { type: 'task-changed', task: 'Ship it, @max.' },
      { type: 'waiting-for-human', memberIds: ['kim'] },
    ]);
    expect(atKim).toEqual(atBob);
  });

  test('a role without a person in the team reads and does not speak', async () => {
    const [bob, ci] = [await sitDown(server(), 'bob'), await sitDown(server(), 'ci')];
    const held = await bob.create(team);
    await held.send('[NEXT: bob] Hello.');
    const followed = await ci.open(held.id, team);
    expect(followed.snapshot().messages).toHaveLength(1);
    await expect(followed.send('Hello.')).rejects.toMatchObject({ code: 'ROLE_NOT_IN_TEAM' });
    // With a team file of its own it could ask; the holder decides.
    const bold = await ci.open(held.id, teamOfPeople('ci'));
    const atBob = listen(held);
    await expect(bold.send('[NEXT: max] Let me in.')).rejects.toMatchObject({ code: 'ROLE_NOT_IN_TEAM' });
    expect(atBob.events.at(-1)).toMatchObject({
      type: 'notice',
      code: 'wish-refused',
      role: 'ci',
      wish: 'say',
      because: 'stranger',
    });
  });

  test('the role of a person may have another name than the person', async () => {
    const people = teamOfPeople('bob', person('Kim Lee', { role: 'kim' }));
    const [bob, kim] = [await sitDown(server(), 'bob'), await sitDown(server(), 'kim')];
    const held = await bob.create(people);
    const followed = await kim.open(held.id, people);
    expect(followed.presence?.speaker).toBe('Kim Lee');
    expect(await followed.send('[NEXT: bob] Hi.')).toMatchObject({ speaker: { roleName: 'Kim Lee' } });
    await expect(followed.send('[NEXT: bob] Hi.', { as: 'bob' })).rejects.toMatchObject({
      code: 'SPEAKS_AS_ITSELF',
    });
  });

  test('the only person of a team without a file is whoever uses the store', async () => {
    const kim = await sitDown(server(), 'kim');
    const held = await kim.create(teamOfPeople('you'));
    expect(await held.send('[NEXT: you] Hello.')).toMatchObject({ speaker: { roleName: 'you' } });
  });

  describe('verbs of a follower', () => {
    test('are done by the holder, or refused with its reason', async () => {
      const [bob, kim] = [await sitDown(server(), 'bob'), await sitDown(server(), 'kim')];
      const held = await bob.create(team);
      const followed = await kim.open(held.id, team);
      await followed.pause();
      expect(held.snapshot().phase).toMatchObject({ kind: 'paused', reason: { kind: 'asked' } });
      expect(followed.snapshot().phase).toEqual(held.snapshot().phase);
      await followed.pause();
      await followed.resume();
      expect(followed.snapshot().phase).toEqual({ kind: 'idle' });
      await followed.rename('A title');
      await expect(followed.rename('x'.repeat(200))).rejects.toMatchObject({ code: 'TITLE_TOO_LONG' });
      await followed.cancel();
      expect(await followed.retry()).toBe(0);
      await expect(followed.answerPermission('none', 'allow')).rejects.toMatchObject({
        code: 'UNKNOWN_PERMISSION_REQUEST',
      });
      await expect(followed.undo()).rejects.toMatchObject({ code: 'FILES_ELSEWHERE' });
      await expect(followed.apply('turn-1')).rejects.toMatchObject({ code: 'FILES_ELSEWHERE' });
      expect(await followed.files()).toMatchObject({ units: [] });
    });
  });
});
