import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KnownStates } from '../../../../src/frontends/web/live/LogTail.js';
import { pageOfBlocks, readBefore, readEnd } from '../../../../src/frontends/web/live/readBlocks.js';
import type { PlacedTelling } from '../../../../src/frontends/web/wire.js';
import type { AgentEvent } from '../../../../src/models/AgentEvent.js';
import type { ConversationFact, RecordedEvent } from '../../../../src/models/ConversationEvent.js';
import type { ConversationId, MemberId, TurnId } from '../../../../src/models/ids.js';
import { NEW_TELLING, type Telling } from '../../../../src/presentation/Telling.js';
import { MemoryStore } from '../../../../src/store/memory/MemoryStore.js';
import type { ConversationReader } from '../../../../src/store/Store.js';
import { toArray } from '../../../../src/utils/AnyIterable.js';
import { deed, live, names, play, routings, turns } from '../../../coordinator/randomConversation.js';
import { type Play, stageInProcess } from '../../../coordinator/stage.js';
import { agent, person, team } from '../../../coordinator/teams.js';

const ID = '20261116-0900-aaaa' as ConversationId;

/** What members do, and a few tools and files before it. */
function working(script: Play, steps: readonly number[]): Play {
  let turn = 0;
  return async function* (name, prompt, signal): AsyncGenerator<AgentEvent> {
    for (let step = 0; step < (steps[turn++ % steps.length] ?? 0); step++) {
      yield { type: 'tool-start', toolId: `tool-${step}`, name: 'Read', input: 'a.ts' };
      yield { type: 'file-change', path: 'a.ts', change: 'update' };
      yield { type: 'tool-end', toolId: `tool-${step}`, name: 'Read', ok: true, result: '' };
    }
    yield* script(name, prompt, signal);
  };
}

/** The log with records of files after some of its turns, as late as they may come: before the next turn starts. */
function withFiles(events: readonly RecordedEvent[]): RecordedEvent[] {
  const ended: TurnId[] = [];
  const facts: ConversationFact[] = [];
  for (const event of events) {
    if (event.type === 'turn-end') ended.push(event.turnId);
    if (event.type === 'turn-start' && ended.length > 0) facts.push(filesOf(ended.splice(0)));
    facts.push(event);
  }
  return facts.map((fact, index) => ({ ...fact, v: 1, at: index, seq: index + 1 }));
}

function filesOf(turnIds: readonly TurnId[]): ConversationFact {
  return {
    type: 'files-recorded',
    by: { kind: 'turns', turnIds: [...turnIds] },
    files: [{ path: 'a.ts', change: 'update' }],
  } as ConversationFact;
}

async function readerOf(events: readonly RecordedEvent[]): Promise<ConversationReader> {
  const store = new MemoryStore();
  const log = await store.create(ID);
  await log.restore(events);
  return store.read(ID);
}

/** All pages of a log, from its end back. */
async function readPages(reader: ConversationReader, limit: number) {
  const end = await readEnd(reader, limit, new KnownStates());
  const pages: (readonly PlacedTelling[])[] = [end.blocks];
  for (let from = end.from; from !== undefined; ) {
    const page = await readBefore(reader, from, limit);
    pages.unshift(page.blocks);
    from = page.from;
  }
  return { telling: end.telling, pages };
}

/** Without numbers of tools, which are those of a page, and of turns that are over, of which a page knows some. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, held) =>
      ['number', 'toolCount', 'questionCount', 'endedTurns'].includes(key) ? undefined : held,
    ),
  );
}

describe('pages of blocks', () => {
  test('joined are what the whole log tells, wherever it ends and however long they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        turns,
        fc.array(deed, { maxLength: 5 }),
        routings,
        fc.array(fc.nat(4), { minLength: 1 }),
        fc.integer({ min: 1, max: 7 }),
        fc.nat(),
        async (script, deeds, routing, steps, limit, cut) => {
          const squad = team([person(), ...names.map((name) => agent(name))], { routing });
          const scene = await stageInProcess(squad, working(play(script), steps));
          await live(scene, deeds);
          await scene.conversation.close();
          const whole = withFiles(scene.log());
          const events = whole.slice(0, 1 + (cut % whole.length));
          const told = pageOfBlocks(events, NEW_TELLING);
          const { telling, pages } = await readPages(await readerOf(events), limit);
          expect(comparable(pages.flat())).toEqual(comparable(told.blocks));
          expect(comparable(telling)).toEqual(comparable(told.telling));
          for (const page of pages.slice(1)) expect(page.length).toBeGreaterThanOrEqual(limit);
        },
      ),
      { numRuns: 150 },
    );
  });

  test('hold the whole of a turn that was silent while a hundred others spoke', async () => {
    const start = (turnId: string, memberId: string) => ({
      type: 'turn-start',
      ...{ turnId, memberId, triggeredBy: 'msg-1' },
      prompt: { bytes: 1, sha256: '', latestMessageId: 'msg-1', session: 'new' },
    });
    const facts = [
      {
        type: 'conversation-start',
        conversationId: ID,
        isRehearsal: false,
        team: { name: 't', members: [{ id: 'max', name: 'max', type: 'ai', agentType: 'command' }] },
      },
      start('turn-1', 'max'),
      {
        type: 'turn-activity',
        turnId: 'turn-1',
        memberId: 'max',
        event: { type: 'tool-start', toolId: 'a', name: 'Bash', input: 'sleep' },
      },
      ...Array.from({ length: 700 }, (_, index) => ({ type: 'task-changed', task: `${index}` })),
    ] as unknown as ConversationFact[];
    const events = facts.map((fact, index) => ({ ...fact, v: 1 as const, at: 0, seq: index + 1 }));
    const { telling, blocks, from } = await readEnd(await readerOf(events), 100, new KnownStates());
    expect(telling.turns).toMatchObject([{ turnId: 'turn-1', tools: [{ name: 'Bash' }] }]);
    expect({ first: blocks[0]?.seq, from }).toEqual({ first: 4, from: 2 });
  });

  test('of a long log are read without reading all of it', async () => {
    const squad = team([person(), agent('max')]);
    const scene = await stageInProcess(squad, play([{ text: 'Yes.', usd: 0 }]));
    for (let round = 0; round < 300; round++) {
      await scene.conversation.send('Well?');
      await scene.conversation.settled();
    }
    await scene.conversation.close();
    const store = new MemoryStore();
    const log = await store.create(ID);
    await log.restore(scene.log());
    const status = await import('../../../../src/conversation/ConversationStatus.js');
    const folded = scene.log().reduce(status.applyToStatus, status.INITIAL_STATUS);
    await log.saveCheckpoint({ seq: log.lastSeq, value: status.encodeStatus(folded) });
    const reader = await store.read(ID);
    const read: number[] = [];
    const counting: ConversationReader = {
      ...reader,
      id: reader.id,
      lastSeq: reader.lastSeq,
      readCheckpoint: () => reader.readCheckpoint(),
      close: () => reader.close(),
      async *read(from, to) {
        for await (const event of reader.read(from, to)) {
          read.push(event.seq);
          yield event;
        }
      },
    };
    const { telling, blocks } = await readEnd(counting, 100, new KnownStates());
    expect(blocks.length).toBeGreaterThanOrEqual(100);
    expect(read.length).toBeLessThan(1100);
    const whole: Telling = pageOfBlocks(await toArray(reader.read()), NEW_TELLING).telling;
    expect(comparable(telling)).toEqual(comparable(whole));
    expect(telling.members.map(({ id }) => id)).toContain('max' as MemberId);
  });
});
