import { expect, test } from 'vitest';
import { formatTitle } from '../../../../src/frontends/web/page/state/desk.js';

test.each([
  [0, '', 'Huddle'],
  [2, '', '(2) Huddle'],
  [0, 'Refuse large uploads', 'Refuse large uploads · Huddle'],
  [1, 'Refuse large uploads', '(1) Refuse large uploads · Huddle'],
])('%d requests and %j are told by the tab', (waiting, conversation, title) => {
  expect(formatTitle(waiting, conversation)).toBe(title);
});
