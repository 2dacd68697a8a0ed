import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RunningTexts } from '../../../../src/frontends/web/live/LiveConversation.js';
import type { ProgressEvent } from '../../../../src/models/AgentEvent.js';
import type { TurnId } from '../../../../src/models/ids.js';
import { tries } from '../../../tier.js';

const TURNS = ['turn-1', 'turn-2'] as TurnId[];

const words = fc.constantFrom('a', 'ab', '\n', 'Nothing, ', '👍', '\ud83d', '密钥', '');
const event: fc.Arbitrary<ProgressEvent> = fc.oneof(
  { weight: 6, arbitrary: words.map((text) => ({ type: 'text-delta' as const, text })) },
  { weight: 1, arbitrary: fc.constant({ type: 'text-reset' as const }) },
  {
    weight: 2,
    arbitrary: fc.array(words).map((texts) => ({ type: 'text' as const, text: texts.join('') })),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'thinking' as const, text: 'Hm.' }) },
);

/** The text of a turn as its events define it, from all of them at once. */
function textOf(events: readonly ProgressEvent[]): string {
  const settled: string[] = [];
  let preview = '';
  for (const each of events) {
    if (each.type === 'text-delta') preview += each.text;
    if (each.type === 'text-reset') preview = '';
    if (each.type !== 'text') continue;
    if (each.text !== '') settled.push(each.text);
    preview = '';
  }
  return [...settled, ...(preview === '' ? [] : [preview])].join('\n\n');
}

test('a page that replaces from the offset on has the text of the turn, whatever is written, given up and settled', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...TURNS), event), { maxLength: 60 }),
      fc.array(fc.boolean()),
      (steps, flushes) => {
        const texts = new RunningTexts();
        const page = new Map<TurnId, string>();
        const due = new Map<TurnId, number>();
        const flush = () => {
          for (const [turnId, at] of due) {
            const sent = (texts.textOf(turnId) ?? '').slice(at);
            page.set(turnId, (page.get(turnId) ?? '').slice(0, at) + sent);
          }
          due.clear();
        };
        steps.forEach(([turnId, progress], index) => {
          const at = texts.note({ turnId, event: progress });
          if (at !== undefined) due.set(turnId, Math.min(at, due.get(turnId) ?? at));
          if (flushes[index % (flushes.length || 1)]) flush();
        });
        flush();
        for (const turnId of TURNS) {
          const own = steps.flatMap(([id, progress]) => (id === turnId ? progress : []));
          expect(page.get(turnId) ?? '').toBe(texts.textOf(turnId) ?? '');
          expect(texts.textOf(turnId) ?? '').toBe(textOf(own));
        }
      },
    ),
    { numRuns: tries(2000) },
  );
});

test('a block that settles as it was previewed is not told again', () => {
  const texts = new RunningTexts();
  const [turnId = '' as TurnId] = TURNS;
  expect(texts.note({ turnId, event: { type: 'text-delta', text: 'Nothing.' } })).toBe(0);
  expect(texts.note({ turnId, event: { type: 'text', text: 'Nothing.' } })).toBeUndefined();
  expect(texts.note({ turnId, event: { type: 'text-delta', text: 'More' } })).toBe(8);
  expect(texts.note({ turnId, event: { type: 'text', text: 'Moon' } })).toBe(12);
  expect(texts.all()).toEqual([{ turnId, text: 'Nothing.\n\nMoon' }]);
});
