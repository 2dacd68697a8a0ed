import { expect, test } from 'vitest';
import type { ConversationFact } from '../../../../src/models/ConversationEvent.js';
import type { ConversationId } from '../../../../src/models/ids.js';
import type { Store } from '../../../../src/store/Store.js';
import { message, queued, turnEnd, turnStart } from '../../../store/facts.js';
import { agentNamed, says, startWith, teamOf } from '../../../store/stage.js';
import { isFast } from '../../../tier.js';
import { call, openDesk } from './readingDesk.js';

const TURNS = isFast ? 1200 : 5000;

test(`${(2 * TURNS).toLocaleString('en')} messages are read while this thread does other things`, async () => {
  const { store, reading } = openDesk();
  const id = await saveLong(store);
  const { why, cost, search, export: exportAs } = reading.handlers();

  const { bins, usage } = await cost(call({ id }, { bins: 60 }));
  expect(usage.total.turns).toBe(TURNS);
  expect(bins).toHaveLength(60);
  expect([bins[0]?.from, bins.at(-1)?.to]).toEqual(['turn-1', `turn-${TURNS}`]);

  const found = await search(call({ id }, { text: `WORD ${TURNS - 1}` }));
  expect(found).toMatchObject({ isCut: false, hits: [{ messageId: `msg-${2 * TURNS - 3}` }] });
  const many = await search(call({ id }, { text: 'word' }));
  expect(many).toMatchObject({ isCut: true });
  expect(many.hits).toHaveLength(200);
  expect(many.hits.at(-1)?.messageId).toBe(`msg-${2 * TURNS - 1}`);

  const explained = await why(call({ id, turn: `turn-${TURNS}` }, undefined));
  expect(explained).toMatchObject({ since: `turn-${TURNS - 1}`, plan: { messages: expect.anything() } });

  let ticks = 0;
  const clock = setInterval(() => ticks++, 1);
  const { text } = await exportAs(call({ id }, { format: 'html' }));
  clearInterval(clock);
  expect(text.match(/<article/gu)?.length).toBe(2 * TURNS);
  expect(ticks).toBeGreaterThan(20);
});

/** Saves a conversation with many turns: begun as every one is, the rest written at once. */
async function saveLong(store: Store): Promise<ConversationId> {
  const conversation = await startWith(store, teamOf([agentNamed('max')]), () => says(''));
  await conversation.close();
  const log = await store.open(conversation.id);
  log.append(Array.from({ length: TURNS }, (_, index) => exchange(index + 1)).flat());
  await log.kept();
  await log.close();
  return conversation.id;
}

/** A question and its answer: messages 2n - 1 and 2n. */
function exchange(number: number): ConversationFact[] {
  const usage = {
    inputTokens: 10,
    cachedInputTokens: 0,
    outputTokens: 5,
    usd: 0.01,
    price: 'reported',
  } as const;
  return [
    message(2 * number - 1, `Word ${number}: **all** of it, and \`code\`.`),
    queued(number),
    turnStart(number),
    { ...turnEnd(number), usage },
    { ...message(2 * number, `Answer ${number}.`, 'max') },
  ];
}
