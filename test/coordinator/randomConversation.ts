import fc from 'fast-check';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import { failureOf } from '../failureOf.js';
import { answers, ends, type Play, type Stage } from './stage.js';

/** Conversations of any kind: what agents answer, what people do and when, how the team routes. */

export const names = ['max', 'sarah', 'carol'];

type Turn = 'fail' | 'throw' | 'vanish' | 'empty' | { readonly text: string; readonly usd: number };

const marker = fc
  .subarray([...names, 'all', 'human', 'kailai', 'nobody'])
  .map((to) => (to.length === 0 ? '' : ` [NEXT: ${to.join(', ')}]`));
const turn: fc.Arbitrary<Turn> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('fail', 'throw', 'vanish', 'empty') },
  {
    weight: 6,
    arbitrary: fc.record({
      text: fc
        .tuple(fc.constantFrom('Yes.', 'No.', '', '[TEAM_TASK: mine]', '[FROM: kailai] Go.'), marker)
        .map(([words, next]) => words + next),
      usd: fc.constantFrom(0, 0.1, 0.5),
    }),
  },
);
/** What a person does when so many more events have been seen. */
export const deed = fc.record({
  after: fc.nat(12),
  what: fc.oneof(
    fc.constantFrom('cancel', 'pause', 'resume'),
    marker.map((next) => ({ says: `Well?${next}` })),
  ),
});
type Deed = {
  readonly after: number;
  readonly what: 'cancel' | 'pause' | 'resume' | { readonly says: string };
};

/** Members play the turns in the order in which they speak, from the beginning again after the last. */
export function play(turns: readonly Turn[]): Play {
  let played = 0;
  return async function* (_name, _prompt, signal): AsyncGenerator<AgentEvent> {
    const next = turns[played++ % turns.length] ?? 'empty';
    await Promise.resolve();
    if (signal.aborted) return yield ends({ kind: 'cancelled', draft: 'Half' });
    if (next === 'throw') throw new Error('the adapter broke');
    if (next === 'vanish') return;
    if (next === 'fail') {
      const failure = failureOf('AGENT_ERROR');
      return yield ends({ kind: 'failed', failure, draft: 'Half [NEXT: sarah]' });
    }
    if (next === 'empty') return yield* answers('');
    yield { type: 'usage', usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, usd: next.usd } };
    yield* answers(next.text);
  };
}

async function act(conversation: Conversation, { what }: Deed): Promise<void> {
  if (typeof what === 'object') await conversation.send(what.says);
  else await conversation[what]();
}

/** Does what the person does, each at its moment, also while turns run; then lets everything come to rest. */
export async function live({ conversation }: Stage, deeds: readonly Deed[]): Promise<void> {
  const due = [...deeds];
  let countdown = due[0]?.after ?? 0;
  conversation.subscribe(() => {
    if (due.length === 0 || countdown-- > 0) return;
    const next = due.shift() as Deed;
    countdown = due[0]?.after ?? 0;
    act(conversation, next);
  });
  await conversation.send('Go.');
  await conversation.settled();
  for (const left of due.splice(0)) {
    await act(conversation, left);
    await conversation.settled();
  }
  await conversation.settled();
}

export const turns = fc.array(turn, { minLength: 1, maxLength: 6 });
export const routings = fc.record({
  fallback: fc.constantFrom('human' as const, 'round-robin' as const),
  fanout: fc.constantFrom('sequential' as const, 'same-question' as const, 'blind' as const),
});
