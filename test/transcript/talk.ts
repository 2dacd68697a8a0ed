import { createConversation } from '../../src/createConversation.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { agentNamed, teamOf } from '../store/stage.js';

export const EVIL = `</pre></article><script>alert(1)</script><img src=x onerror="alert('2')"> & \u202etxt \0`;

const script = {
  max: [
    {
      text: ['Let me look.', `Done. ${EVIL}`],
      tools: [
        { name: 'Bash', input: 'ls `x` <b>', result: '<i>files</i>' },
        { name: 'Read', input: 'a.ts', result: 'no such file', ok: false },
      ],
      usd: 0.0123,
    },
  ],
  sarah: [{ failure: 'auth' }],
};

/** A small conversation with all that a transcript has to show. */
export async function talkWithEverything(): Promise<RecordedEvent[]> {
  const members = [
    agentNamed('max', { title: 'Architect <1>' }),
    agentNamed('sarah', { agentType: 'openai-codex' }),
  ];
  const conversation = await createConversation({
    team: teamOf(members, { name: 'auth & squad', task: `Ship <it>` }),
    store: new MemoryStore(clock()),
    clock: clock(),
    rehearsal: { script },
  });
  await conversation.send(`[NEXT: max, nobody] Design the login.\n\n    indented ${EVIL}`);
  await conversation.settled();
  await conversation.send('[NEXT: sarah] And you?');
  await conversation.settled();
  const events = await toArray(conversation.history());
  await conversation.close();
  return events;
}

function clock(): () => number {
  let now = Date.UTC(2026, 10, 15, 2, 12);
  return () => (now += 1000);
}
