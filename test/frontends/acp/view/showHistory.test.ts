import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { expect, test } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { ConversationView, showHistory } from '../../../../src/frontends/acp/view/ConversationView.js';
import type { RecordedEvent } from '../../../../src/models/ConversationEvent.js';
import { defer } from '../../../../src/utils/defer.js';
import { type Stage, stage } from '../../../coordinator/stage.js';
import { agent, person, team } from '../../../coordinator/teams.js';
import { connectWire, outline, readThread } from './wire.js';

const squad = team([person('kim'), agent('max', { title: 'Architect' }), agent('sarah')]);
const script = {
  max: [
    {
      text: ['Let me see.', 'Done.'],
      tools: [
        { name: 'Read', input: 'a.ts', result: 'text' },
        { name: 'Edit', input: 'b.ts', result: 'no', ok: false },
      ],
      usd: 0.5,
    },
  ],
  sarah: [{ text: ['Half an'], failure: 'cut' }],
};

let talked: Promise<Stage> | undefined;

/** Held once: the tests read it, and say nothing. */
function talk(): Promise<Stage> {
  talked ??= holdTalk();
  return talked;
}

async function holdTalk(): Promise<Stage> {
  const scene = await stage(squad, { script });
  for (const text of ['Is it\nsafe? [NEXT: max]', 'And you? [NEXT: sarah]']) {
    await scene.conversation.send(text);
    await scene.conversation.settled();
  }
  return scene;
}

test('shows what people and agents said, every call as one card, drafts marked, and no notices', async () => {
  const { conversation } = await talk();
  const wire = connectWire({ hasNotices: true });
  await showHistory(conversation.history(), wire.target, { folder: '/work', words: english });
  await wire.flushed();
  expect(outline(wire.updates())).toEqual([
    'user msg-1: Is it\nsafe? [NEXT: max]',
    expect.stringMatching(/^tool_call turn-1\/\S+ completed: max · Read .*a\.ts/u),
    expect.stringMatching(/^tool_call turn-1\/\S+ failed: max · Edit .*b\.ts/u),
    'agent turn-1.1: **max** · Architect\n\nLet me see.\n\nDone.',
    'user msg-3: And you? [NEXT: sarah]',
    'agent turn-2.1: **sarah** · draft, not delivered\n\nHalf an',
    expect.stringMatching(/^agent turn-2\.2: \n\n\*sarah.*draft kept \(7 characters\).*\*$/u),
    'session_info_update',
    'usage_update',
  ]);
  const [, read] = wire.updates();
  expect(read).toMatchObject({ content: [{ type: 'content', content: { type: 'text', text: 'text' } }] });
  expect(wire.updates().at(-2)).toMatchObject({ title: 'Is it safe?' });
});

test('shows the words that were shown while they were written', async () => {
  const scene = await stage(squad, { script: { max: script.max } });
  const [live, later] = [connectWire(), connectWire()];
  const view = new ConversationView(scene.conversation, live.target, { folder: '/work', words: english });
  view.begin();
  await scene.conversation.send('Is it safe? [NEXT: max]');
  await view.finish();
  await showHistory(scene.conversation.history(), later.target, { folder: '/work', words: english });
  await Promise.all([live.flushed(), later.flushed()]);
  expect(readThread(later.updates())).toBe(readThread(live.updates()));
});

test('reads no further than the client has taken', async () => {
  const { conversation } = await talk();
  let readCount = 0;
  async function* counted(): AsyncGenerator<RecordedEvent> {
    for await (const event of conversation.history()) {
      readCount += 1;
      yield event;
    }
  }
  const taken = defer<void>();
  const arrived = defer<void>();
  const sent: SessionUpdate[] = [];
  const target = {
    hasNotices: false,
    update: (update: SessionUpdate) => {
      sent.push(update);
      arrived.resolve();
      return taken.promise;
    },
    askPermission: () => Promise.reject(new Error('nothing is asked')),
  };
  const shown = showHistory(counted(), target, { folder: '/work', words: english });
  await arrived.promise;
  const readBefore = readCount;
  expect(sent).toHaveLength(1);
  taken.resolve();
  await shown;
  expect(readCount).toBeGreaterThan(readBefore);
  expect(sent).toHaveLength(9);
});

test('a client that is gone ends it', async () => {
  const { conversation } = await talk();
  const wire = connectWire();
  wire.hangUp();
  await expect(
    showHistory(conversation.history(), wire.target, { folder: '/work', words: english }),
  ).rejects.toThrow();
});
