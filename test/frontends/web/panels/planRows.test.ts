import { expect, test } from 'vitest';
import { listPlanRows, listSections } from '../../../../src/frontends/web/page/panels/planRows.js';
import { explainForPage } from '../../../../src/frontends/web/reading/explainForPage.js';
import { toAsync } from '../../../../src/utils/AnyIterable.js';
import { talkWithEverything } from '../../../transcript/talk.js';

test('the parts of a prompt add up to all of it, and messages say whether they are in', async () => {
  const events = await talkWithEverything();
  const { plan } = await explainForPage(() => toAsync(events), 'turn-2');
  const sections = listSections(plan);
  expect(sections.map(({ name }) => name)).toEqual(['system', 'task', 'context', 'message']);
  expect(sections.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  expect(sections.at(-1)?.start).toBeCloseTo(1 - (sections.at(-1)?.share ?? 0));
  expect(listPlanRows(plan)).toEqual([
    { messages: 'msg-1 – msg-2', firstId: 'msg-1', count: 2, isIn: true, inclusion: 'yes' },
    { messages: 'msg-3', firstId: 'msg-3', count: 1, isIn: true, inclusion: 'yes (the current message)' },
  ]);
});

test('ids of messages that are not ours are safe to show', () => {
  const [row] = listPlanRows({
    messages: [{ first: 'msg-\u202e1', last: 'msg-\u202e1', count: 1, inclusion: 'window' }],
  } as unknown as Parameters<typeof listPlanRows>[0]);
  expect(row).toMatchObject({
    messages: 'msg-<U+202E>1',
    isIn: false,
    inclusion: 'no: older than the window',
  });
});
