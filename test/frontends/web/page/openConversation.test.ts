import { describe, expect, test } from 'vitest';
import { OpenConversation } from '../../../../src/frontends/web/page/state/OpenConversation.js';
import type { FirstScreen, ListedConversation, OlderBlocks } from '../../../../src/frontends/web/wire.js';
import type { ConversationFact, RecordedEvent } from '../../../../src/models/ConversationEvent.js';
import type { ConversationId, MemberId, MessageId, TurnId } from '../../../../src/models/ids.js';
import { NEW_TELLING } from '../../../../src/presentation/Telling.js';

const TURN = 'turn-1' as TurnId;
const MAX = 'max' as MemberId;

describe('the text of a running turn', () => {
  test('goes on from the offset it is told, and is never doubled', () => {
    const conversation = openAt({ running: [{ turnId: TURN, text: 'Hello' }] });
    conversation.progress({ turnId: TURN, at: 5, text: ', team' });
    conversation.progress({ turnId: TURN, at: 5, text: ', team.' });
    expect(conversation.textOf(TURN).value).toBe('Hello, team.');
  });

  test('is taken back where an agent begins again', () => {
    const conversation = openAt({ running: [{ turnId: TURN, text: 'Wrong way' }] });
    conversation.progress({ turnId: TURN, at: 0, text: 'Right' });
    expect(conversation.textOf(TURN).value).toBe('Right');
  });

  test('is what the server says it is after a lost connection', () => {
    const conversation = openAt({ running: [{ turnId: TURN, text: 'old' }] });
    conversation.setRunning({ running: [{ turnId: TURN, text: 'newer text' }] });
    expect(conversation.textOf(TURN).value).toBe('newer text');
  });
});

describe('a turn of which the log says only that it began', () => {
  const began = recorded(1, {
    type: 'turn-start',
    turnId: TURN,
    memberId: MAX,
    prompt: { messageIds: [], bytes: 0, sha256: '', session: 'new' },
  } as never);
  const summary = (parts: Partial<ListedConversation>) =>
    ({ id: 'one', running: [], ...parts }) as unknown as ListedConversation;
  const shown = ({ telling }: OpenConversation) => ({
    turns: telling.value.turns.map(({ turnId }) => turnId),
    unfinished: telling.value.conversation.unfinished.map(({ kind }) => kind),
  });
  const runs = { turns: [TURN], unfinished: [] };

  test('runs while a process has the conversation open, and was cut off when that is gone', () => {
    const conversation = openAt({ summary: summary({ state: 'open', running: [TURN] }) });
    conversation.tell([began]);
    expect(shown(conversation)).toEqual(runs);
    conversation.setSummary(summary({ state: 'interrupted', running: [TURN] }));
    expect(shown(conversation)).toEqual({ turns: [], unfinished: ['interrupted'] });
  });

  test('runs when it began after the list was made in which nobody has the conversation open', () => {
    const conversation = openAt({ summary: summary({ state: 'done' }) });
    conversation.tell([began]);
    expect(shown(conversation)).toEqual(runs);
  });
});

test('an event that comes twice is told once', () => {
  const conversation = openAt({});
  const events = [said(1, 'One'), said(2, 'Two')];
  conversation.tell(events);
  conversation.tell([...events, said(3, 'Three')]);
  expect(texts(conversation)).toEqual(['One', 'Two', 'Three']);
  expect(conversation.seq).toBe(3);
});

test('steps of a turn are no rows', () => {
  const conversation = openAt({});
  conversation.tell([
    recorded(1, {
      type: 'turn-activity',
      turnId: TURN,
      memberId: MAX,
      event: { type: 'file-change', path: 'a.ts', change: 'add' },
    }),
    said(2, 'Done'),
  ]);
  expect(conversation.rows.value.map(({ seq, block }) => [seq, block.kind])).toEqual([[2, 'message']]);
});

test('older rows come before, once for two that ask at the same time', async () => {
  const asked: number[] = [];
  const conversation = openAt({ from: 40, seq: 50 }, async (before) => {
    asked.push(before);
    return { blocks: [{ seq: 39, block: { kind: 'task', at: 0, task: 'older' } }] };
  });
  conversation.tell([said(51, 'New')]);
  await Promise.all([conversation.loadOlder(), conversation.loadOlder()]);
  expect(asked).toEqual([40]);
  expect(conversation.rows.value.map(({ seq }) => seq)).toEqual([39, 51]);
  expect(conversation.hasOlder.value).toBe(false);
});

test('a page of older rows that did not come can be asked for again', async () => {
  let attempts = 0;
  const conversation = openAt({ from: 40 }, async () => {
    attempts += 1;
    if (attempts === 1) throw new Error('cut');
    return { blocks: [], from: 20 };
  });
  await expect(conversation.loadOlder()).rejects.toThrow('cut');
  await conversation.loadOlder();
  expect(attempts).toBe(2);
  expect(conversation.hasOlder.value).toBe(true);
});

function openAt(
  first: Partial<FirstScreen>,
  readOlder: (before: number) => Promise<OlderBlocks> = async () => ({ blocks: [] }),
): OpenConversation {
  const summary = { id: 'one' as ConversationId } as ListedConversation;
  const limits = {} as FirstScreen['limits'];
  return new OpenConversation(
    { summary, limits, telling: NEW_TELLING, seq: 0, blocks: [], running: [], ...first },
    readOlder,
  );
}

function said(seq: number, content: string): RecordedEvent {
  const speaker = { roleId: 'kim', roleName: 'kim', type: 'human' } as const;
  const id = `msg-${seq}` as MessageId;
  return recorded(seq, {
    type: 'message-added',
    message: { id, content, speaker, timestamp: 0, routing: {} },
  } as ConversationFact);
}

function recorded(seq: number, fact: ConversationFact): RecordedEvent {
  return { ...fact, v: 1, seq, at: 0 };
}

function texts({ rows }: OpenConversation): readonly string[] {
  return rows.value.flatMap(({ block }) => (block.kind === 'message' ? [block.text] : []));
}
