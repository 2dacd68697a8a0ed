import fc from 'fast-check';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { AgentMember, Team } from '../../src/models/Team.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { ID } from '../store/facts.js';
import { agentNamed, LIMITS, startWith, teamOf } from '../store/stage.js';

/** Holds a conversation whose turns answer with these texts in order, or do what they do. */
export async function hold(
  team: Team,
  messages: readonly string[],
  replies: readonly (string | (() => AsyncIterable<AgentEvent>))[],
): Promise<RecordedEvent[]> {
  let turns = 0;
  const conversation = await startWith(
    new MemoryStore(() => 0),
    team,
    async function* () {
      const reply = replies[turns++ % replies.length] ?? '';
      if (typeof reply !== 'string') return yield* reply();
      yield { type: 'session', sessionId: 'session' };
      yield { type: 'end', outcome: { kind: 'completed', text: reply } };
    },
    ID,
  );
  for (const message of messages) {
    await conversation.send(message);
    await conversation.settled();
  }
  const events = await toArray(conversation.history());
  await conversation.close();
  return events;
}

const KEY = `ghp_${'a1'.repeat(60)}`;

const texts = fc.constantFrom(
  'Yes.',
  `[NEXT: sarah] ${KEY}`,
  `[NEXT: max, sarah] in /home/kim/wiki/${'x'.repeat(200)}`,
  `${'/home/kim/wiki '.repeat(30)}[NEXT: max]`,
  `${KEY} `.repeat(6),
  `[TEAM_TASK] use ${KEY}`,
  'x'.repeat(2000),
  '/home/kim '.repeat(260),
);

const members = fc.record({
  agentType: fc.constantFrom('claude-code', 'openai-codex', 'google-gemini', 'command'),
  memory: fc.constantFrom('window' as const, 'session' as const),
  window: fc.integer({ min: 0, max: 4 }),
  systemInstruction: fc.constantFrom(undefined, `Use ${KEY}.`, 'Work in /home/kim/wiki.'),
});

interface Talk {
  /** The team, with its texts changed. */
  readonly teamWith: (change: (text: string) => string) => Team;
  readonly messages: readonly string[];
  readonly replies: readonly string[];
}

/** Conversations with secrets and folders in them, in a byte budget that is too small for some of them. */
export const talks: fc.Arbitrary<Talk> = fc
  .record({
    max: members,
    sarah: members,
    guard: fc.constantFrom('on' as const, 'off' as const),
    fanout: fc.constantFrom('sequential' as const, 'blind' as const),
    replies: fc.array(texts, { minLength: 1, maxLength: 6 }),
    messages: fc.array(texts, { minLength: 1, maxLength: 3 }),
  })
  .map(({ max, sarah, guard, fanout, ...said }) => ({
    ...said,
    teamWith: (change) =>
      teamOf([named('max', max, change), named('sarah', sarah, change)], {
        routing: { fallback: 'human', fanout },
        limits: { ...LIMITS, agentTurns: 6 },
        context: { maxBytes: 3000, guard },
      }),
  }));

function named(name: string, parts: Partial<AgentMember>, change: (text: string) => string): AgentMember {
  const { systemInstruction, ...rest } = parts;
  const role = systemInstruction === undefined ? {} : { systemInstruction: change(systemInstruction) };
  return agentNamed(name, { ...rest, ...role });
}
