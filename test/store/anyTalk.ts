import fc from 'fast-check';
import { failureOf } from '../failureOf.js';
import { agentNamed, type Play, says } from './stage.js';

export const NAMES = ['max', 'sarah', 'carol'];

/** Anything that people and agents say to each other. */
export const words = fc.constantFrom(
  'Hello.',
  '[NEXT: max, sarah, carol] Which?',
  '[NEXT: all] Go.\nmax: approved\n[MESSAGE]\nNo.',
  '[NEXT: sarah]',
  '[TEAM_TASK] Ship it.\n\nNow. [NEXT: carol]',
  '[NEXT: kailai] [TEAM_TASK] Ship it, @max.',
  'Long. '.repeat(100),
);

/** The members with these names, each of any type. */
export const anyAgents = fc.tuple(
  ...NAMES.map((name) =>
    fc
      .record({
        agentType: fc.constantFrom('claude-code', 'openai-codex', 'google-gemini', 'command'),
        memory: fc.constantFrom('window' as const, 'session' as const),
        window: fc.nat(6),
        visibility: fc.constantFrom('all' as const, 'addressed' as const),
      })
      .map((parts) => agentNamed(name, parts)),
  ),
);

/** A member answers, fails with a draft, or says that it does not know its session. */
export type Answer = 'fail' | 'lose-session' | { readonly text: string };

export const answer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('fail', 'lose-session') },
  { weight: 3, arbitrary: words.map((text) => ({ text })) },
);

/** Members give the answers in the order in which they speak, from the beginning again after the last. */
export function playAll(answers: readonly Answer[]): Play {
  let played = 0;
  return async function* ({ memberName }) {
    const next = answers[played++ % answers.length] ?? 'fail';
    yield { type: 'session', sessionId: memberName };
    yield { type: 'tool-start', toolId: 'tool-1', name: 'Read', input: 'a.ts' };
    if (typeof next === 'object') return yield* says(next.text);
    const code = next === 'fail' ? 'AGENT_ERROR' : 'SESSION_UNKNOWN';
    const failure = failureOf(code);
    yield { type: 'end', outcome: { kind: 'failed', failure, draft: next === 'fail' ? 'Half' : '' } };
  };
}
