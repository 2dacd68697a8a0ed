import { expect, test } from 'vitest';
import { LiveAnswer } from '../../../src/frontends/print/LiveAnswer.js';
import type { TurnProgress } from '../../../src/models/ConversationEvent.js';

type Event = TurnProgress['event'];
const delta = (text: string): Event => ({ type: 'text-delta', text });
const block = (text: string): Event => ({ type: 'text', text });
const reset: Event = { type: 'text-reset' };

const cases: ReadonlyArray<readonly [string, readonly Event[], string]> = [
  ['pieces as they come', [delta('Hel'), delta('lo')], 'Hello'],
  ['nothing twice when the block is settled', [delta('Hel'), delta('lo'), block('Hello')], 'Hello'],
  ['the rest of a block that was settled early', [delta('Hel'), block('Hello')], 'Hello'],
  ['whole blocks, a blank line between them', [block('One.'), block('Two.')], 'One.\n\nTwo.'],
  [
    'a new block after a settled one',
    [delta('One.'), block('One.'), delta('Tw'), delta('o.')],
    'One.\n\nTwo.',
  ],
  [
    'that the agent starts again',
    [delta('Hel'), reset, delta('Good day')],
    'Hel\n[the agent restarts its reply]\n\nGood day',
  ],
  [
    'a block that is not what its pieces were',
    [delta('Hel'), block('Good day')],
    'Hel\n[the agent restarts its reply]\n\nGood day',
  ],
  ['a character whose halves come apart', [delta('a\ud83d'), delta('\ude00b')], 'a😀b'],
  ['nothing of thoughts', [{ type: 'thinking', text: 'hm' }, reset], ''],
];

test.each(cases)('prints %s', (_title, events, printed) => {
  const answer = new LiveAnswer();
  expect(events.map((event) => answer.take(event)).join('')).toBe(printed);
});
