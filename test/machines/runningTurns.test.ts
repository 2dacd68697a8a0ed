import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { ConversationStarter } from '../../src/coordinator/ConversationStarter.js';
import { holdShared } from '../../src/machines/JoinedConversation.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import { defer } from '../../src/utils/defer.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { makeFreshStore } from '../store/postgres/freshStore.js';
import { agentsThat, hangs, type Play, says } from '../store/stage.js';
import { listen, sitDown, teamOfPeople, untilCompany } from './table.js';

const team = teamOfPeople('bob', 'kim');
const TOOL: AgentEvent = { type: 'tool-start', toolId: 't', name: 'Bash', input: 'npm test' };

/** Uses a tool, asks for permission, and says what the answer was. */
const asks: Play = async function* ({ askPermission }, signal) {
  yield TOOL;
  const question = { requestId: 'r', name: 'Bash', input: 'rm', kind: 'execute', title: 'rm', command: 'rm' };
  const known = {
    paths: [],
    isInFolder: true,
    guards: [],
    extent: 'whole',
    isUnderstood: true,
    isAsked: true,
  } as const;
  const answer = await askPermission?.({ ...question, ...known, signal });
  yield* says(`It was ${answer}.`);
};

describePostgres('a turn that runs on the machine of the holder', (server) => {
  beforeAll(() => makeFreshStore(server(), 'bob', 'kim'));

  /** A conversation that bob holds, with an agent that does this. */
  async function hold(play: Play) {
    const { store } = await sitDown(server(), 'bob');
    const agents = agentsThat(play);
    const started = await new ConversationStarter().start({ team, store, agents, interactive: true });
    const seat = { store, id: started.id, team, hold: () => Promise.reject(new Error('not held again')) };
    const held = await holdShared(seat, started);
    onTestFinished(() => held.close());
    return { held, kim: await sitDown(server(), 'kim') };
  }

  test('is seen from its start by whoever joins, who can answer what it asks', async () => {
    const { held, kim } = await hold(asks);
    const atBob = listen(held);
    await held.send('[NEXT: max] Go.');
    const isAsked = (event: (typeof atBob.events)[number]) =>
      event.type === 'turn-activity' && event.event.type === 'permission-request';
    await atBob.until(isAsked);
    const followed = await kim.open(held.id, team);
    expect(followed.snapshot().phase).toEqual({ kind: 'idle' });
    const atKim = listen(followed);
    await atKim.until(isAsked);
    expect(atKim.events.map(({ type }) => type)).toEqual(['turn-start', 'turn-activity', 'turn-activity']);
    await followed.answerPermission('r', 'allow');
    await followed.settled();
    expect(atKim.said()).toEqual(['It was allow.']);
    expect(atKim.events.find(({ type }) => type === 'permission-decided')).toMatchObject({
      by: { kind: 'person', memberId: 'kim' },
    });
    await expect(held.answerPermission('r', 'deny')).rejects.toMatchObject({
      code: 'UNKNOWN_PERMISSION_REQUEST',
    });
  });

  test('shows whoever joins what its agent has said from the start, and goes on from there', async () => {
    const [begun, rest] = [defer<void>(), defer<void>()];
    const { held, kim } = await hold(async function* () {
      yield { type: 'text', text: 'First.' };
      yield { type: 'text-delta', text: 'Sec' };
      begun.resolve();
      await rest.promise;
      yield { type: 'text-delta', text: 'ond' };
      yield* says('Second.');
    });
    await held.send('[NEXT: max] Go.');
    await begun.promise;
    const atKim = listen(await kim.open(held.id, team));
    const isSaid = (text: string) => (event: (typeof atKim.events)[number]) =>
      event.type === 'turn-progress' && 'text' in event.event && event.event.text === text;
    await atKim.until(isSaid('Sec'));
    rest.resolve();
    await atKim.until(isSaid('Second.'));
    const said = atKim.events.flatMap((event) =>
      event.type === 'turn-progress' && 'text' in event.event ? [event.event.text] : [],
    );
    expect(said.slice(0, 2)).toEqual(['First.', 'Sec']);
    expect(said.filter((text) => text === 'First.')).toHaveLength(1);
  });

  test('is stopped by a follower, and asked for again', async () => {
    const { held, kim } = await hold(hangs);
    const followed = await kim.open(held.id, team);
    const atKim = listen(followed);
    await followed.send('[NEXT: max] Go.');
    await atKim.until(({ type }) => type === 'turn-start');
    await followed.cancel();
    expect(await followed.settled()).toMatchObject({ kind: 'paused', reason: { kind: 'cancelled' } });
    expect(await followed.retry()).toBe(1);
    await followed.cancel({ drop: true });
    await followed.settled();
    expect(held.snapshot().state.running).toEqual([]);
  });

  test('is told word by word while somebody follows, and not otherwise', async () => {
    const first = defer<void>();
    const { held, kim } = await hold(async function* () {
      await first.promise;
      yield { type: 'text-delta', text: 'Well' };
      yield* says('Well.');
    });
    const told: string[] = [];
    const followed = await kim.open(held.id, team);
    const [row] = await server().admin(
      'SELECT channel FROM huddle.conversation ORDER BY number DESC LIMIT 1',
    );
    onTestFinished(kim.store.listener.listen(String(row?.channel), (payload) => told.push(payload ?? '')));
    const isLive = (payload: string) => payload.startsWith('live ');
    const atKim = listen(followed);
    await untilCompany(held, () => held.presence?.here.includes('kim') === true);
    await followed.send('[NEXT: max] Go.');
    await atKim.until(({ type }) => type === 'turn-start');
    first.resolve();
    await atKim.until((event) => event.type === 'turn-progress' && event.event.type === 'text');
    expect(told.some(isLive)).toBe(true);

    await followed.settled();
    await followed.close();
    await untilCompany(held, () => held.presence?.here.length === 0);
    told.length = 0;
    await held.send('[NEXT: max] Again.');
    await held.settled();
    expect(told.filter(isLive)).toEqual([]);
  });
});
