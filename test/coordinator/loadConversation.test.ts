import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ContextManager } from '../../src/context/ContextManager.js';
import {
  applyToStatus,
  type ConversationStatus,
  INITIAL_STATUS,
} from '../../src/conversation/ConversationStatus.js';
import { Checkpoints } from '../../src/coordinator/Ledger.js';
import { type LoadedConversation, loadConversation } from '../../src/coordinator/loadConversation.js';
import { createProfile } from '../../src/coordinator/memberProfile.js';
import { preparePrompt } from '../../src/coordinator/prepareTurn.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { ConversationMessage } from '../../src/models/ConversationMessage.js';
import type { MessageId, TurnId } from '../../src/models/ids.js';
import type { AgentMember, Team } from '../../src/models/Team.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import type { ConversationLog, ConversationReader } from '../../src/store/Store.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { ID } from '../store/facts.js';
import { agentNamed, LIMITS, type Play, says, startWith, teamOf } from '../store/stage.js';

const TURNS = 80;

describe('loading a conversation by its tail', () => {
  test('gives the status and the prompts that the whole log gives', async () => {
    const member = fc.record({
      agentType: fc.constantFrom('claude-code', 'openai-codex', 'google-gemini'),
      memory: fc.constantFrom('window' as const, 'session' as const),
      window: fc.integer({ min: 0, max: 30 }),
      visibility: fc.constantFrom('all' as const, 'addressed' as const),
    });
    const fanout = fc.constantFrom('sequential' as const, 'same-question' as const, 'blind' as const);
    const turns = fc.constantFrom(4, 5, TURNS);
    await fc.assert(
      fc.asyncProperty(
        member,
        member,
        fanout,
        fc.nat(),
        turns,
        async (max, sarah, fanout, seed, agentTurns) => {
          const team = teamOf([agentNamed('max', max), agentNamed('sarah', sarah)], {
            routing: { fallback: 'human', fanout },
            limits: { ...LIMITS, agentTurns },
          });
          const { reader, log } = await longTalk(team, seed);
          const whole = await loadWhole(reader);
          const loaded = await loadConversation(reader, team);
          expect(stateOf(loaded)).toEqual(stateOf(whole));
          expect(promptsOf(team, loaded)).toEqual(promptsOf(team, whole));
          await new Checkpoints(log, {}, 0).save(log.lastSeq, whole);
          const byCheckpoint = await loadConversation(reader, team);
          expect(stateOf(byCheckpoint)).toEqual(stateOf(whole));
          expect(byCheckpoint.messages).toEqual(loaded.messages);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('reads what a blind turn is shown, which ends with its question', async () => {
    const store = new MemoryStore();
    const team = teamOf([agentNamed('max', { window: 2 }), agentNamed('sarah', { window: 2 })], {
      routing: { fallback: 'human', fanout: 'blind' },
      limits: { ...LIMITS, agentTurns: 1 },
    });
    const conversation = await startWith(store, team, () => says('Red.'), ID);
    for (const content of ['One. [NEXT: kailai]', 'Two. [NEXT: kailai]', 'Which? [NEXT: max, sarah]'])
      await conversation.send(content);
    expect(await conversation.settled()).toMatchObject({ kind: 'paused', reason: { limit: 'agentTurns' } });
    await conversation.close();
    const reader = await store.read(ID);
    const prompts = promptsOf(team, await loadConversation(reader, team));
    expect(prompts).toEqual(promptsOf(team, await loadWhole(reader)));
  });

  test('reads a small part of a long log', async () => {
    const store = new MemoryStore();
    const log = await store.create(ID);
    const messages = Array.from({ length: 5000 }, (_, index) => messageNumbered(index + 1));
    log.append(messages.map((message) => ({ type: 'message-added', message })));
    const team = teamOf([agentNamed('max', { window: 5 })]);
    await new Checkpoints(log, {}, 0).save(log.lastSeq, await loadWhole(log));
    const { counting, count } = countReads(log);
    expect((await loadConversation(counting, team)).messages).toEqual(messages.slice(-6));
    expect(count()).toBeLessThan(100);
  });

  test('reads a small part of a long log in which only agents spoke, however much they said', async () => {
    const log = await new MemoryStore().create(ID);
    const checkpoints = new Checkpoints(log, {}, 0);
    const words = 'long '.repeat(1000);
    const messages = Array.from({ length: 1000 }, (_, index) => answerNumbered(index + 1, words));
    log.append(messages.map((message) => ({ type: 'message-added', message })));
    await checkpoints.save(log.lastSeq, await loadWhole(log));
    const { counting, count } = countReads(log);
    const loaded = await loadConversation(counting, teamOf([agentNamed('max', { window: 5 })]));
    expect(count()).toBeLessThan(100);
    expect(stateOf(loaded)).toEqual(stateOf(await loadWhole(log)));
  });

  test('saves checkpoints that grow with the answers less often', async () => {
    const log = await new MemoryStore().create(ID);
    let saves = 0;
    const counting: ConversationLog = Object.create(log, {
      saveCheckpoint: { value: async () => saves++ },
    });
    const checkpoints = new Checkpoints(counting, {}, 0);
    let status: ConversationStatus = INITIAL_STATUS;
    for (let seq = 1; seq <= 16 * 1024; seq++) {
      status = applyToStatus(status, { type: 'message-added', message: answerNumbered(seq, '') });
      await checkpoints.consider(seq, status);
    }
    expect(saves).toBeGreaterThan(10);
    expect(saves).toBeLessThan(20);
  });

  test('makes a status of another version anew', async () => {
    const log = await new MemoryStore().create(ID);
    log.append([{ type: 'task-changed', task: 'Ship it' }]);
    const older = {
      version: 6,
      state: { counters: { speakers: [], answers: [['Yes.', 1]] } },
      teamTask: 'No',
    };
    for (const value of [older, { ...older, version: 1000 }, { teamTask: 'No' }, [], 'text', 7, null]) {
      await log.saveCheckpoint({ seq: 1, value });
      expect((await loadConversation(log, teamOf([]))).teamTask).toBe('Ship it');
    }
  });
});

async function loadWhole(log: ConversationReader): Promise<Omit<LoadedConversation, 'checkpointSeq'>> {
  const events = await toArray(log.read());
  const status = events.reduce<ConversationStatus>(applyToStatus, INITIAL_STATUS);
  const messages = events.flatMap((event) => (event.type === 'message-added' ? [event.message] : []));
  return { ...status, messages };
}

function stateOf({ state, memory, changes, recording, teamTask }: ConversationStatus): ConversationStatus {
  return { state, memory, changes, recording, teamTask };
}

/** The prompts of all turns that wait, and of every member about the newest message. */
function promptsOf(
  team: Team,
  { messages, teamTask, memory, state }: Omit<LoadedConversation, 'checkpointSeq'>,
): unknown[] {
  const context = new ContextManager({ logger: {} });
  context.importSnapshot({ messages, teamTask, timestamp: 0, version: 1 });
  const triggeredBy = context.getLatestMessage()?.id as MessageId;
  return team.members
    .filter((member): member is AgentMember => member.type === 'ai')
    .flatMap((member) => {
      const profile = createProfile(team, member);
      const turns = state.queue.filter(({ memberId }) => memberId === member.id);
      const next = { turnId: 'turn-x' as TurnId, memberId: member.id, triggeredBy };
      const sessions = [undefined, memory.sessions.get(member.id)];
      return [next, ...turns].flatMap((turn) =>
        sessions.map((session) => preparePrompt(context, { profile, turn, session })),
      );
    });
}

async function longTalk(
  team: Team,
  seed: number,
): Promise<{ reader: ConversationReader; log: ConversationLog }> {
  const store = new MemoryStore();
  let turn = seed;
  const play: Play = async function* ({ memberName }) {
    turn = (turn * 31 + 7) % 9973;
    yield { type: 'session', sessionId: memberName };
    yield* says(
      ['Mine.', `To you ${turn}. [NEXT: max, sarah]`, `On ${turn}. [NEXT: max]`, '[NEXT: sarah]'][turn % 4] ??
        '',
    );
  };
  const conversation = await startWith(store, team, play, ID);
  for (let round = 0; round < 6; round++) {
    await conversation.send(`Round ${round} [NEXT: ${round % 2 ? 'max' : 'sarah'}]`);
    await conversation.settled();
  }
  await conversation.close();
  return { reader: await store.read(ID), log: await store.open(ID) };
}

function messageNumbered(number: number): ConversationMessage {
  return {
    id: `msg-${number}` as MessageId,
    content: `Message ${number}`,
    speaker: { roleId: 'kailai', roleName: 'kailai', type: 'human' },
    timestamp: number,
  };
}

function answerNumbered(number: number, words: string): ConversationMessage {
  const speaker = { roleId: 'max', roleName: 'max', type: 'ai' } as const;
  return { ...messageNumbered(number), speaker, content: `Answer ${number} ${words}` };
}

function countReads(log: ConversationLog): { counting: ConversationReader; count: () => number } {
  let events = 0;
  const counting: ConversationReader = {
    id: log.id,
    lastSeq: log.lastSeq,
    async *read(from, to): AsyncGenerator<RecordedEvent> {
      for await (const event of log.read(from, to)) {
        events++;
        yield event;
      }
    },
    readCheckpoint: () => log.readCheckpoint(),
    close: () => log.close(),
  };
  return { counting, count: () => events };
}
